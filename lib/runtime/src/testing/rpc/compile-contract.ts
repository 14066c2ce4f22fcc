import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileRegistry, type DescMessage, type DescService, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

interface CompiledContract {
  /** In the order of the packages. */
  readonly services: readonly DescService[];
  /** Finds a message by its full name. */
  readonly message: (name: string) => DescMessage;
  /** The binary `FileDescriptorSet`, with comments. */
  readonly descriptorSet: Uint8Array;
}

const root = join(import.meta.dirname, '../../../../..');
const IMPORTS = [
  'buf/validate/validate.proto',
  'google/api/annotations.proto',
  'google/protobuf/duration.proto',
  'google/protobuf/field_mask.proto',
  'google/protobuf/struct.proto',
  'google/protobuf/timestamp.proto',
  'survey/options/v1/options.proto',
];

/** Compiles a contract for a test: the body of a .proto file for each package, without its header. */
export function compileContract(packages: Readonly<Record<string, string>>): CompiledContract {
  const folder = mkdtempSync(join(tmpdir(), 'survey-test-contract-'));
  try {
    for (const name of ['buf.yaml', 'buf', 'google', 'survey/options']) {
      cpSync(join(root, 'proto', name), join(folder, name), { recursive: true });
    }
    mkdirSync(join(folder, 'test'));
    for (const [name, text] of Object.entries(packages)) {
      const imports = IMPORTS.map((path) => `import "${path}";`).join('\n');
      writeFileSync(join(folder, 'test', `${name}.proto`), `syntax = "proto3";\npackage ${name};\n${imports}\n${text}`);
    }
    const build = ['build', '--as-file-descriptor-set', '-o', '-'];
    const descriptorSet = execFileSync(join(root, 'node_modules/.bin/buf'), build, {
      cwd: folder,
      // Capture warnings about unused imports.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet));
    const files = [...registry.files].filter(({ proto }) => Object.hasOwn(packages, proto.package));
    return {
      services: files.flatMap((file) => file.services),
      message: (name) => {
        const found = registry.getMessage(name);
        if (found === undefined) throw new Error(`there is no message ${name}`);
        return found;
      },
      descriptorSet,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
