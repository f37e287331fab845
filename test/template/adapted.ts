/** The parts of a template that are read here. */
export interface TemplateJson {
  readonly Resources: Record<
    string,
    {
      readonly Type: string
      readonly DeletionPolicy?: string
      // biome-ignore lint/suspicious/noExplicitAny: properties of a hundred resource types
      readonly Properties: any
    }
  >
}

/** Resource types that moto 5.2.5 does not know and skips. */
const unknownToEmulator: readonly string[] = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Lambda::Alias',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SNS::TopicPolicy',
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
]

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
  Object.entries(Resources).flatMap(([id, { Type }]) => (unknownToEmulator.includes(Type) ? [] : [id]))

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
