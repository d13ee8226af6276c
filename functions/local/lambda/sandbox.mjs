/**
 * The process in which a function runs. Plain JavaScript, since a child that has to load a TypeScript loader first starts
 * 150 ms later. Its messages are those of messages.ts. Arguments: the path of a CommonJS bundle that exports `handler`.
 */
import { createRequire } from 'node:module';

const { env } = process;
const say = process.send.bind(process);
const writers = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream));

/** The request that is being handled. */
let current;

process.once('disconnect', () => process.exit(1));
process.on('uncaughtException', (error) => crash(described(error), 129));
process.on('unhandledRejection', (reason) => {
  crash({ ...described(reason), errorType: 'Runtime.UnhandledPromiseRejection' }, 128);
});

const handler = load(process.argv[2]);
if (handler !== undefined) {
  process.on('message', (message) => void handle(handler, message));
  say({ kind: 'ready' });
}

function load(bundle) {
  try {
    const { handler } = createRequire(bundle)(bundle);
    const problem = problemOf(handler);
    if (problem === undefined) return handler;
    say({ kind: 'init-failed', error: problem }, () => process.exit(1));
  } catch (error) {
    say({ kind: 'init-failed', error: described(error) }, () => process.exit(1));
  }
  return undefined;
}

function problemOf(handler) {
  if (typeof handler !== 'function') {
    return {
      errorType: 'Runtime.HandlerNotFound',
      errorMessage: `${env._HANDLER} is undefined or not exported`,
    };
  }
  if (handler.length > 2) {
    const errorMessage =
      'The handler takes a callback, which Node.js 24 on Lambda refuses. Return a promise.';
    return { errorType: 'Runtime.CallbackHandlerDeprecated', errorMessage };
  }
  return undefined;
}

async function handle(handler, { requestId, payload, remainingMs }) {
  current = requestId;
  const outcome = await outcomeOf(handler, JSON.parse(payload), contextOf(requestId, remainingMs));
  current = undefined;
  say({ ...outcome, requestId });
  for (const write of writers) write(`\u0000END ${requestId}\n`);
}

async function outcomeOf(handler, event, context) {
  try {
    const result = await handler(event, context);
    return { kind: 'succeeded', payload: JSON.stringify(result ?? null) };
  } catch (error) {
    return { kind: 'failed', error: described(error) };
  }
}

function contextOf(awsRequestId, remainingMs) {
  // Both clocks: one stands still while the machine sleeps, the other may be set back.
  const byClock = Date.now() + remainingMs;
  const byTimer = performance.now() + remainingMs;
  return {
    awsRequestId,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: `arn:aws:lambda:${env.AWS_REGION}:000000000000:function:${env.AWS_LAMBDA_FUNCTION_NAME}`,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.floor(Math.min(byClock - Date.now(), byTimer - performance.now())),
  };
}

/** What escapes the handler ends the process, as it does on Lambda. */
function crash(error, code) {
  if (current === undefined) process.exit(code);
  say({ kind: 'failed', requestId: current, error }, () => process.exit(code));
}

function described(thrown) {
  if (!(thrown instanceof Error)) return { errorType: typeof thrown, errorMessage: String(thrown) };
  const { name, message, stack = '' } = thrown;
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
}
