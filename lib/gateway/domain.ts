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
 * The base URLs that work once the stack is deployed. `Url` is for clients: the custom domain, or the
 * generated address while the domain has no DNS record yet.
 */
export const baseUrls = (
  api: RestApi,
  domain: Domain | undefined,
): { readonly id: string; readonly description: string; readonly value: string }[] => {
  const generated = api.url.replace(/\/$/, '')
  if (!domain || !(domain.only || domain.hostedZone))
    return [{ id: 'Url', description: 'The base URL', value: generated }]
  const ownOutput = { id: 'Url', description: 'The base URL', value: `https://${domain.name}` }
  const generatedOutput = {
    id: 'GeneratedUrl',
    description: 'Works too, until domain.only is set',
    value: generated,
  }
  return domain.only ? [ownOutput] : [ownOutput, generatedOutput]
}

/** Creates the DNS record if the stage has a hosted zone; otherwise prints the target of the record. */
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
        description: `The target of a CNAME record for ${name}, which works once the record exists`,
        value: domain.domainNameAliasDomainName,
      })
  }
}
