import { createSocket } from 'node:dgram';

const HEADER_BYTES = 12;
const TYPE_A = 1;

/** A DNS server that knows one set of IPv4 addresses, for every name. */
export interface TestDns {
  readonly port: number;
  setAddresses(addresses: readonly string[]): void;
  close(): void;
}

export async function startTestDns(addresses: readonly string[]): Promise<TestDns> {
  let current = addresses;
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(toAnswer(query, current), port, address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    setAddresses(next) {
      current = next;
    },
    close: () => socket.close(),
  };
}

/** RFC 1035, section 4.1: the question again, and an answer for each address when it asked for those. */
function toAnswer(query: Buffer, addresses: readonly string[]): Buffer {
  const endOfName = query.indexOf(0, HEADER_BYTES) + 1;
  const question = query.subarray(HEADER_BYTES, endOfName + 4);
  const records = query.readUInt16BE(endOfName) === TYPE_A ? addresses.map(toRecord) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2); // a response, recursion desired and available
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/** The name of the question (a pointer to it), type A, class IN, no time to live, four bytes. */
function toRecord(address: string): Buffer {
  return Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
}
