import { CfnOutput } from 'aws-cdk-lib'
import {
  DomainName,
  EndpointType,
  type IRestApi,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'

/** The API under the operator's own name, entered in its zone or, without one, left to the operator to enter. */
export class ApiDomain extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { api, settings }: { readonly api: RestApi; readonly settings: NonNullable<StageSettings['domain']> },
  ) {
    super(scope, id)
    const { name, certificateArn, hostedZone } = settings
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
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
        description: `Enter this name as the CNAME of ${name}`,
        value: domain.domainNameAliasDomainName,
      })
  }
}
