import { InvokeError, type LambdaService } from '../lambda/contract.ts';
import { type Answer, errorAnswer } from './answer.ts';

export const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** Lambda Invoke. `name`: the function's name or ARN, as it stands in the path. */
export async function invokeFunction(
  invoke: LambdaService['invoke'],
  name: string,
  type: string,
  body: string,
): Promise<Answer> {
  if (type !== 'Event' && type !== 'RequestResponse') {
    return errorAnswer(400, 'InvalidParameterValueException', `Not emulated on this machine: ${type}.`);
  }
  const payload = parse(body);
  if (payload === undefined) {
    return errorAnswer(400, 'InvalidRequestContentException', 'The payload is not JSON.');
  }
  try {
    const functionName = decodeURIComponent(name).replace(
      /^arn:[^:]+:lambda:[^:]*:\d*:function:([^:]+).*$/,
      '$1',
    );
    return answerOf(await invoke(functionName, payload, type === 'Event' ? 'async' : 'sync'), type);
  } catch (error) {
    if (!(error instanceof InvokeError)) throw error;
    return errorAnswer(error.statusCode, error.type, error.message);
  }
}

function answerOf(result: Awaited<ReturnType<LambdaService['invoke']>>, type: string): Answer {
  const headers = { 'x-amzn-requestid': result.requestId };
  if (type === 'Event') return { status: 202, type: 'application/json', body: '', headers };
  const executed = { ...headers, 'x-amz-executed-version': '$LATEST' };
  if (result.error === undefined) {
    const body = JSON.stringify(result.result ?? null);
    return { status: 200, type: 'application/json', body, headers: executed };
  }
  return {
    status: 200,
    type: 'application/json',
    body: JSON.stringify(result.error),
    headers: { ...executed, 'x-amz-function-error': 'Unhandled' },
  };
}

/** Undefined when it is no JSON; no payload is an empty object. */
function parse(body: string): unknown {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
