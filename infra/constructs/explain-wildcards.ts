import type { Role } from 'aws-cdk-lib/aws-iam';
import { Stack, Validations } from 'aws-cdk-lib/core';

/** By `Action::…` or `Resource::…` with the wildcard as the policy has it: in a sentence, why nothing narrower does. */
export type Wildcards = Readonly<Record<string, string>>;

/** Tells cdk-nag, and whoever reads the code, why a role's wildcards are there. What is not told is a finding. */
export function explainWildcards(role: Role, reasons: Wildcards): void {
  const stack = Stack.of(role);
  for (const [wildcard, reason] of Object.entries(reasons))
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[${asFound(stack.resolve(wildcard))}]`,
      reason,
    });
}

/** As cdk-nag writes it: `arn:<AWS::Partition>:logs:…`. */
function asFound(resolved: string | { 'Fn::Join': [string, (string | { Ref: string })[]] }): string {
  if (typeof resolved === 'string') return resolved;
  const [separator, parts] = resolved['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join(separator);
}
