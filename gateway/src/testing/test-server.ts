import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

/** Replies to a request, now or later. */
export type TestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts an HTTP server, by default on a free port. */
export async function startServer(handler: TestHandler, port = 0, host = '127.0.0.1'): Promise<TestServer> {
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  // A listening TCP server has an AddressInfo.
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${boundPort}`,
    port: boundPort,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Options {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** Sends a request over a new connection, with exactly these headers. */
export function send(url: string, { method = 'GET', headers = {}, body }: Options = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { method, headers, agent: false }, (response) => {
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        reject,
      );
    });
    request.once('error', reject).end(body);
  });
}

/** Sends bytes, and returns everything received until the server closes the connection. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  return text(socket);
}
