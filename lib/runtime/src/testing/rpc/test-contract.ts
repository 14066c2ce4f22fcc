import { create, createFileRegistry, type DescService, type MessageInitShape, setExtension } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_descriptor,
  FieldDescriptorProto_Label as Label,
  MethodOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { file_google_api_annotations, http } from '@survey/proto/google/api/annotations_pb';
import { file_google_api_http, HttpRuleSchema } from '@survey/proto/google/api/http_pb';
import { AccessSchema, access, file_survey_options_v1_options } from '@survey/proto/survey/options/v1/options_pb';

interface TestMethod {
  readonly name: string;
  readonly http?: MessageInitShape<typeof HttpRuleSchema>;
  readonly access?: MessageInitShape<typeof AccessSchema>;
  readonly serverStreaming?: boolean;
}

/** Access rule for tests that do not depend on it. */
export const anyone = { rule: { case: 'public', value: true } } as const;

/**
 * A service for tests. Each operation takes `{id: string, other: string, tags: string[], count: int32}` and returns
 * `{text: string, inner: {}}`.
 */
export function createTestService(methods: readonly TestMethod[]): DescService {
  const field = (name: string, number: number, type: Type, label = Label.OPTIONAL) => ({
    name,
    number,
    type,
    label,
    jsonName: name,
  });
  const file = create(FileDescriptorProtoSchema, {
    name: 'test.proto',
    package: 'test.v1',
    syntax: 'proto3',
    dependency: ['google/api/annotations.proto', 'survey/options/v1/options.proto'],
    messageType: [
      {
        name: 'Request',
        field: [
          field('id', 1, Type.STRING),
          field('other', 2, Type.STRING),
          field('tags', 3, Type.STRING, Label.REPEATED),
          field('count', 4, Type.INT32),
        ],
      },
      {
        name: 'Response',
        field: [field('text', 1, Type.STRING), { ...field('inner', 2, Type.MESSAGE), typeName: '.test.v1.Inner' }],
      },
      { name: 'Inner' },
    ],
    service: [{ name: 'TestService', method: methods.map(toMethodDescriptor) }],
  });
  const known = [
    file_google_api_annotations,
    file_google_api_http,
    file_survey_options_v1_options,
    file_google_protobuf_descriptor,
  ];
  const registry = createFileRegistry(file, (name) => known.find((candidate) => candidate.proto.name === name));
  const service = registry.getService('test.v1.TestService');
  if (service === undefined) throw new Error('the descriptor lacks its service');
  return service;
}

function toMethodDescriptor(method: TestMethod) {
  const options = create(MethodOptionsSchema);
  if (method.http !== undefined) setExtension(options, http, create(HttpRuleSchema, method.http));
  if (method.access !== undefined) setExtension(options, access, create(AccessSchema, method.access));
  const { name, serverStreaming = false } = method;
  return { name, inputType: '.test.v1.Request', outputType: '.test.v1.Response', options, serverStreaming };
}
