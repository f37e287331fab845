import { CfnOutput } from 'aws-cdk-lib'
import { DomainName, EndpointType, type IRestApi, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'
import { transportSecurity } from './api.ts'

type Domain = NonNullable<StageSettings['domain']>

/**
 * The base URLs that answer as soon as the stack is deployed, as outputs of the stack. `Url` is the one to give to
 * clients: the own name, unless the operator has yet to enter it and the generated address still answers.
 */
export const baseUrls = (
  api: RestApi,
  domain: Domain | undefined,
): { readonly id: string; readonly description: string; readonly value: string }[] => {
  const generated = api.url.replace(/\/$/, '')
  if (!domain || !(domain.only || domain.hostedZone))
    return [{ id: 'Url', description: 'The base URL', value: generated }]
  const own = { id: 'Url', description: 'The base URL', value: `https://${domain.name}` }
  const other = { id: 'GeneratedUrl', description: 'Answers too, until domain.only is set', value: generated }
  return domain.only ? [own] : [own, other]
}

/** The API under the operator's own name, entered in its zone or, without one, left to the operator to enter. */
export class ApiDomain extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { api, settings }: { readonly api: RestApi; readonly settings: Domain },
  ) {
    super(scope, id)
    const { name, certificateArn, hostedZone } = settings
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...transportSecurity,
      mapping: api as IRestApi,
    })
    if (hostedZone)
      new ARecord(this, 'Record', {
        zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', {
          hostedZoneId: hostedZone.id,
          zoneName: hostedZone.name,
        }),
        recordName: name,
        target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
      })
    else
      new CfnOutput(this, 'Target', {
        description: `Enter this name as the CNAME of ${name}, which answers after that`,
        value: domain.domainNameAliasDomainName,
      })
  }
}
