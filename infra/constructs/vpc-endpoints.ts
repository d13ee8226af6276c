import { CfnSecurityGroup, CfnVPCEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Aws } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Vpc } from '../../functions/config.ts';

/** Those that are reached by an interface, and cost by the hour. */
export type EndpointService = 'sqs' | 'secretsmanager' | 'ssm';

export interface VpcEndpointsProps {
  readonly vpc: Vpc;
  readonly services: readonly EndpointService[];
}

const https = 443;

/**
 * Ways from a network to AWS that need no internet: a route to DynamoDB, and an interface for each service. They are open to the
 * functions' security groups, and to nobody of another account.
 */
export class VpcEndpoints extends Construct {
  constructor(scope: Construct, id: string, { vpc, services }: VpcEndpointsProps) {
    super(scope, id);
    const { vpcId, subnetIds, routeTableIds = [] } = vpc;
    new CfnVPCEndpoint(this, 'DynamoDb', {
      vpcId,
      serviceName: serviceName('dynamodb'),
      vpcEndpointType: 'Gateway',
      routeTableIds: [...routeTableIds],
      policyDocument: ofThisAccount(),
    });
    const securityGroupIds = [this.openTo(vpc).attrGroupId];
    for (const service of services)
      new CfnVPCEndpoint(this, service, {
        vpcId,
        serviceName: serviceName(service),
        vpcEndpointType: 'Interface',
        privateDnsEnabled: true,
        subnetIds: [...subnetIds],
        securityGroupIds,
        policyDocument: ofThisAccount(),
      });
  }

  private openTo({ vpcId, securityGroupIds }: Vpc): CfnSecurityGroup {
    return new CfnSecurityGroup(this, 'Open', {
      vpcId,
      groupDescription: 'From functions of fireledger to AWS',
      securityGroupIngress: securityGroupIds.map((sourceSecurityGroupId) => ({
        sourceSecurityGroupId,
        ipProtocol: 'tcp',
        fromPort: https,
        toPort: https,
        description: 'Functions of the network',
      })),
      // Without a rule it would get one that lets everything out; an endpoint only answers.
      securityGroupEgress: [
        {
          cidrIp: '255.255.255.255/32',
          ipProtocol: 'icmp',
          fromPort: 252,
          toPort: 86,
          description: 'Nothing',
        },
      ],
    });
  }
}

function serviceName(service: string): string {
  return `com.amazonaws.${Aws.REGION}.${service}`;
}

/** Credentials of others can carry nothing out. */
function ofThisAccount(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: 'OfThisAccount',
        principals: [new AnyPrincipal()],
        actions: ['*'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:PrincipalAccount': Aws.ACCOUNT_ID } },
      }),
    ],
  });
}
