/** The parts of a resource that are read here. */
interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
  // biome-ignore lint/suspicious/noExplicitAny: properties of a hundred resource types
  readonly Properties: any
}

export interface TemplateJson {
  readonly Resources: Record<string, Resource>
}

/** Resource types that moto 5.2.5 does not know and skips, by service. */
const unknownToEmulator = new Set(
  Object.entries({
    ApiGateway: ['Account', 'GatewayResponse', 'Stage'],
    CloudWatch: ['Alarm', 'Dashboard'],
    Lambda: ['Alias'],
    Logs: ['MetricFilter', 'QueryDefinition'],
    SNS: ['TopicPolicy'],
    WAFv2: ['WebACL', 'WebACLAssociation'],
  }).flatMap(([service, types]) => types.map((type) => `AWS::${service}::${type}`)),
)

/** Replaces references to an alias by references to its function, since the emulator has no aliases. */
const withoutAliases = (template: TemplateJson): TemplateJson => {
  let text = JSON.stringify(template)
  for (const [id, { Type, Properties }] of Object.entries(template.Resources))
    if (Type === 'AWS::Lambda::Alias')
      text = text.replaceAll(`{"Ref":"${id}"}`, JSON.stringify(Properties.FunctionName))
  return JSON.parse(text) as TemplateJson
}

/** Returns the resources that the emulator creates from a template, by logical id. */
export const taken = ({ Resources }: TemplateJson): string[] =>
  Object.entries(Resources).flatMap(([id, { Type }]) => (unknownToEmulator.has(Type) ? [] : [id]))

/** Adapts a template to the emulator, which skips unknown types but fails on some known ones. */
export const adapted = (template: TemplateJson): TemplateJson => {
  const { Outputs: _, ...rest } = withoutAliases(template) as TemplateJson & { Outputs?: unknown }
  // The dashboard refers to alarms, which were not created.
  const left = Object.entries(rest.Resources).filter(([, { Type }]) => Type !== 'AWS::CloudWatch::Dashboard')
  for (const [, { Type, Properties }] of left)
    if (Type === 'AWS::ApiGateway::Method' && Properties.Integration.Type === 'MOCK')
      Object.assign(Properties.Integration, { IntegrationHttpMethod: 'POST', Uri: 'mock' })
  return { ...rest, Resources: Object.fromEntries(left) }
}
