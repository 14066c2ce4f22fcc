import type { DescriptorProto, FileDescriptorProto, FileDescriptorSet } from '@bufbuild/protobuf/wkt';

/** The comments of .proto files. */
export interface Comments {
  /**
   * The leading comment of a service, operation, message or field by its full name, on one line. Throws if there is
   * none.
   */
  of(name: string): string;
}

/** Field numbers in `descriptor.proto`, which make up the paths of source locations. */
const MESSAGES = 4;
const SERVICES = 6;
const FIELDS = 2;
const NESTED = 3;
const METHODS = 2;

/** Reads the comments in the source info of descriptors. */
export function readComments(set: FileDescriptorSet): Comments {
  const comments = new Map<string, string>();
  for (const file of set.file) {
    const byPath = new Map(
      file.sourceCodeInfo?.location.map((location) => [location.path.join('.'), location.leadingComments]),
    );
    for (const [path, name] of namedPaths(file)) comments.set(name, oneLine(byPath.get(path) ?? ''));
  }
  return {
    of(name) {
      const comment = comments.get(name);
      if (!comment) throw new Error(`${name} has no comment`);
      return comment;
    },
  };
}

function* namedPaths(file: FileDescriptorProto): Generator<readonly [string, string]> {
  for (const [index, message] of file.messageType.entries()) {
    yield* messagePaths(message, `${MESSAGES}.${index}`, `${file.package}.${message.name}`);
  }
  for (const [index, service] of file.service.entries()) {
    const [path, name] = [`${SERVICES}.${index}`, `${file.package}.${service.name}`];
    yield [path, name];
    for (const [at, method] of service.method.entries()) yield [`${path}.${METHODS}.${at}`, `${name}.${method.name}`];
  }
}

function* messagePaths(message: DescriptorProto, path: string, name: string): Generator<readonly [string, string]> {
  yield [path, name];
  for (const [at, field] of message.field.entries()) yield [`${path}.${FIELDS}.${at}`, `${name}.${field.name}`];
  for (const [at, nested] of message.nestedType.entries())
    yield* messagePaths(nested, `${path}.${NESTED}.${at}`, `${name}.${nested.name}`);
}

function oneLine(comment: string): string {
  return comment.trim().replace(/\s*\n\s*/g, ' ');
}
