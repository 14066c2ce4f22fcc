// Loaded into each process of the soak before its own code. MongoDB and Kafka tell their clients under which address
// they are found, so a client leaves a proxy that it was configured with: this sends it through its own all the same.
import { Socket } from 'node:net';

/** Port that a client asks for → port that it gets, both on this machine. */
const redirects: Readonly<Record<string, number>> = JSON.parse(process.env['SOAK_REDIRECTS'] ?? '{}');
// Whatever it is called with goes on.
const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;

function redirect(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || !('port' in options)) return options;
  const port = redirects[String(options.port)];
  return port === undefined ? options : { ...options, port };
}

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const [first] = args;
  // `net.connect` hands over its arguments in an array that it has marked as its own.
  if (Array.isArray(first)) first[0] = redirect(first[0]);
  else args[0] = redirect(first);
  return connect.apply(this, args);
};
