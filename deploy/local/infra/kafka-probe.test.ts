import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { probeKafka } from './kafka-probe.ts';

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

async function serve(reply: Buffer | 'silence' | 'end'): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      if (reply === 'end') socket.end();
      else if (reply !== 'silence') socket.write(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Length, correlation id, number of brokers. */
function toReply(...numbers: number[]): Buffer {
  const reply = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => {
    reply.writeInt32BE(number, index * 4);
  });
  return reply;
}

describe('probeKafka', () => {
  it('resolves if a broker is ready', async () => {
    await expect(probeKafka(await serve(toReply(8, 1, 1)))).resolves.toBeUndefined();
  });

  it('rejects if no broker is ready', async () => {
    await expect(probeKafka(await serve(toReply(8, 1, 0)))).rejects.toThrow('no broker is ready');
  });

  it('rejects a server that is not Kafka', async () => {
    await expect(probeKafka(await serve(Buffer.from('HTTP/1.1 400 Bad Request')))).rejects.toThrow('Kafka protocol');
  });

  it('rejects if the connection is closed without a reply', async () => {
    await expect(probeKafka(await serve('end'))).rejects.toThrow('closed');
  });

  it('rejects if there is no reply in time', async () => {
    await expect(probeKafka(await serve('silence'), 20)).rejects.toThrow('no reply');
  });

  it('rejects if nothing listens', async () => {
    const address = await serve('end');
    server?.close();
    await expect(probeKafka(address)).rejects.toThrow('ECONNREFUSED');
  });
});
