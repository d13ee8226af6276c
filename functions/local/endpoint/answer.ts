import type { ServerResponse } from 'node:http';

/** What goes back over the wire. */
export interface Answer {
  readonly status: number;
  readonly type:
    | 'application/x-amz-json-1.0'
    | 'application/x-amz-json-1.1'
    | 'application/json'
    | 'text/xml';
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function json(body: unknown, type: Answer['type'] = 'application/x-amz-json-1.0'): Answer {
  return { status: 200, type, body: JSON.stringify(body) };
}

/** An error that an SDK shows under the name `code` with its message, whatever protocol the service speaks. */
export function errorAnswer(status: number, code: string, message: string, speaksXml = false): Answer {
  if (!speaksXml) {
    const body = JSON.stringify({ __type: code, message, Message: message });
    return { status, type: 'application/json', body, headers: { 'x-amzn-errortype': code } };
  }
  // Query services look within <Error>, S3 takes it as the root.
  const error = `<Error><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return { status, type: 'text/xml', body: error };
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
