import { createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;

/** Addresses of a name, optionally after one alias (CNAME). */
export type TestRecords = readonly string[];

/** A DNS server with configurable records, which have a time to live of 0. */
export interface TestDns {
  readonly port: number;
  readonly questions: () => number;
  setAddresses(records: TestRecords): void;
  /** Sets a function that returns the records of each query; undefined means no reply. */
  replyWith(recordsOf: (name: string) => TestRecords | undefined): void;
  delayBy(ms: number): void;
  close(): void;
}

export async function startTestDns(addresses: TestRecords): Promise<TestDns> {
  let current: (name: string) => TestRecords | undefined = () => addresses;
  let questions = 0;
  let delayMs = 0;
  const waiting = new Set<NodeJS.Timeout>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    questions += 1;
    const reply = toReply(query, current);
    if (reply === undefined) return;
    const timer = setTimeout(() => {
      waiting.delete(timer);
      socket.send(reply, port, address);
    }, delayMs);
    waiting.add(timer);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    questions: () => questions,
    setAddresses(next) {
      current = () => next;
    },
    replyWith(next) {
      current = next;
    },
    delayBy(ms) {
      delayMs = ms;
    },
    close() {
      for (const timer of waiting) clearTimeout(timer);
      socket.close();
    },
  };
}

/** RFC 1035, section 4.1: repeats the question, and adds a record for each address of the requested type. */
function toReply(query: Buffer, recordsOf: (name: string) => TestRecords | undefined): Buffer | undefined {
  const endOfName = query.indexOf(0, HEADER_BYTES) + 1;
  const question = query.subarray(HEADER_BYTES, endOfName + 4);
  const type = query.readUInt16BE(endOfName);
  const isOfType = (record: string) => !(type === TYPE_A ? isIPv6(record) : isIPv4(record));
  const known = type === TYPE_A || type === TYPE_AAAA ? recordsOf(toName(question))?.filter(isOfType) : [];
  if (known === undefined) return undefined;
  const records: Buffer[] = [];
  // Owner of the records: a pointer to the name in the question, or its alias.
  let owner: Buffer = Buffer.from([0xc0, HEADER_BYTES]);
  for (const record of known) {
    records.push(toRecord(owner, record));
    if (!isIPv4(record) && !isIPv6(record)) owner = fromName(record);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2); // a response (QR), recursion desired (RD) and available (RA)
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/** A resource record of class IN, with a time to live of 0. */
function toRecord(owner: Buffer, record: string): Buffer {
  const [type, data] = toData(record);
  const fields = Buffer.from([0, type, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([owner, fields, data]);
}

function toData(record: string): readonly [number, Buffer] {
  if (isIPv4(record)) return [TYPE_A, Buffer.from(record.split('.').map(Number))];
  if (!isIPv6(record)) return [TYPE_CNAME, fromName(record)];
  const [head = '', tail = ''] = record.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail)];
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return [TYPE_AAAA, Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))];
}

/** Encodes a name (section 3.1): labels, each after its length. */
function fromName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function toName(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; (question[at] ?? 0) > 0; at += 1 + (question[at] ?? 0)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.').toLowerCase();
}
