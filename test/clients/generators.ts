import { cp, rm, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { root } from '../support/run-step.ts';
import { type Command, fileOf, installOnce, requireTools, run } from './tools.ts';

/** A public generator of clients, with a program that uses its client. */
interface Generator {
  readonly name: string;
  /** The folder of the program. */
  readonly program: string;
  /** Installs the generator. Throws if something that it needs is not there. */
  readonly prepare: () => Promise<Client>;
}

/** The steps to make and use the client of `openapi.json` in a copy of the program's folder. */
interface Client {
  /** Generates and compiles. Warnings are errors. */
  readonly build: (folder: string) => Promise<void>;
  readonly command: Command;
  readonly env?: Readonly<Record<string, string>>;
}

const typescript: Generator = {
  name: 'openapi-typescript',
  program: 'typescript',
  async prepare() {
    const generator = join(root, 'proto/node_modules/.bin/openapi-typescript');
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--types', 'node', '--allowImportingTsExtensions'];
    return {
      async build(folder) {
        await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
        await run([generator, 'openapi.json', '-o', 'openapi.d.ts'], { cwd: folder });
        await run(['tsc', ...strict, '--target', 'esnext', 'main.ts'], { cwd: folder });
      },
      command: [process.execPath, 'main.ts'],
    };
  },
};

const python: Generator = {
  name: 'openapi-python-client',
  program: 'python',
  async prepare() {
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', '--no-deps'];
    const pinned = fileOf('python/requirements.txt');
    const version = await run(['python3', '-c', 'import sys; print("%d%d" % sys.version_info[:2])'], { cwd: root });
    // Some packages are compiled for one version of Python.
    const home = await installOnce(`openapi-python-client-python${version.trim()}`, pinned, (into) =>
      run(['python3', ...pip, '--only-binary', ':all:', '--target', into, '--requirement', pinned], { cwd: root }),
    );
    const env = { PYTHONPATH: home, PATH: `${join(home, 'bin')}${delimiter}${process.env['PATH']}` };
    const generate = ['generate', '--path', 'openapi.json', '--config', 'config.yaml', '--meta', 'none'];
    return {
      async build(folder) {
        const options = { cwd: folder, env };
        const tool: Command = ['python3', join(home, 'bin/openapi-python-client'), ...generate];
        await run([...tool, '--output-path', 'survey_api', '--fail-on-warning'], options);
        await run(['python3', '-m', 'mypy', 'survey_api', 'main.py'], options);
        await run(['python3', '-m', 'ruff', 'check', '--select', 'E9,F', 'survey_api', 'main.py'], options);
      },
      command: ['python3', 'main.py'],
      env,
    };
  },
};

const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  program: 'oapi-codegen',
  async prepare() {
    await requireTools(['go', 'version']);
    return {
      async build(folder) {
        await run(['go', 'tool', 'oapi-codegen', '-config', 'config.yaml', 'openapi.json'], { cwd: folder });
        await buildGo(folder);
      },
      command: ['./program'],
    };
  },
};

const openApiGeneratorGo: Generator = {
  name: 'openapi-generator for Go',
  program: 'openapi-generator-go',
  async prepare() {
    await requireTools(['go', 'version']);
    const generate = await prepareOpenApiGenerator();
    return {
      async build(folder) {
        await generate(folder, 'go', 'survey', {
          packageName: 'survey',
          withGoMod: 'false',
          useOneOfDiscriminatorLookup: 'true',
        });
        await rm(join(folder, 'survey/test'), { recursive: true });
        await buildGo(folder);
      },
      command: ['./program'],
    };
  },
};

const openApiGeneratorJava: Generator = {
  name: 'openapi-generator for Java',
  program: 'openapi-generator-java',
  async prepare() {
    const generate = await prepareOpenApiGenerator();
    const packages = { invokerPackage: 'org.survey', apiPackage: 'org.survey.api', modelPackage: 'org.survey.model' };
    return {
      async build(folder) {
        await generate(
          folder,
          'java',
          'generated',
          { library: 'native', supportUrlQuery: 'false', ...packages },
          UNIONS,
        );
        await cp(join(folder, 'generated/src/main/java'), join(folder, 'src/main/java'), { recursive: true });
        await cp(join(folder, 'Main.java'), join(folder, 'src/main/java/Main.java'));
        const goals = ['compile', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
        await run(['mvn', '--quiet', '--batch-mode', ...goals], { cwd: folder });
      },
      command: ['java', '-cp', ['target/classes', 'lib/*'].join(delimiter), 'Main'],
    };
  },
};

/** Members of definitions with several types. The generator's Java does not compile for unions with lists or maps. */
const UNIONS = ['TranslatableText', 'FileUploadQuestion_accept', 'RatingQuestion_labels', 'RatingQuestion_options'];

async function buildGo(folder: string): Promise<void> {
  await run(['go', 'vet', './...'], { cwd: folder });
  await run(['go', 'build', '-o', 'program', '.'], { cwd: folder });
}

async function prepareOpenApiGenerator() {
  await requireTools(['java', '-version'], ['mvn', '--version']);
  const pom = fileOf('openapi-generator/pom.xml');
  const home = await installOnce('openapi-generator', pom, (into) =>
    run(
      ['mvn', '--quiet', '--batch-mode', '--file', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${into}`],
      { cwd: root },
    ),
  );
  const jar = join(home, 'openapi-generator-cli.jar');
  return async (
    cwd: string,
    language: string,
    output: string,
    properties: Readonly<Record<string, string>>,
    untyped: readonly string[] = [],
  ) => {
    const { library, ...additional } = properties;
    const options = [
      ...['-i', 'openapi.json', '-g', language, '-o', output],
      ...(library === undefined ? [] : ['--library', library]),
      ...untyped.flatMap((name) => ['--schema-mappings', `${name}=java.lang.Object`]),
      ...Object.entries(additional).flatMap(([name, value]) => ['--additional-properties', `${name}=${value}`]),
    ];
    await run(['java', '-jar', jar, 'generate', ...options], { cwd });
  };
}

/** All generators. The first one needs nothing that the platform does not need too. */
export const generators: readonly Generator[] = [
  typescript,
  python,
  oapiCodegen,
  openApiGeneratorGo,
  openApiGeneratorJava,
];
