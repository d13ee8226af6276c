import { devNull } from 'node:os';

export interface EnvironmentOptions {
  readonly functionName: string;
  readonly memoryMb: number;
  readonly region: string;
  /** What the template gives to the function. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where AWS is, as far as the function knows. */
  readonly endpointUrl: string;
}

/** The account on whose behalf everything happens here. */
export const LOCAL_ACCOUNT = '000000000000';

/**
 * The whole environment of a sandbox: what Lambda would give, and nothing of the person's own. The credentials are
 * dummies, and the person's AWS configuration is out of sight.
 */
export function sandboxEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { functionName, memoryMb, region } = options;
  return {
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    ...options.variables,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: options.endpointUrl,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LANG: 'en_US.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: 'UTC',
    _HANDLER: 'index.handler',
  };
}
