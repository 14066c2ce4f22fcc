import { randomUUID } from 'node:crypto';
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import {
  DefinitionService,
  type StoreImportedSurveyRequestSchema,
} from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { expect, it } from 'vitest';
import { callOptionsFor, type ServiceConnection } from '../../rpc/service-client.ts';

const definition: JsonObject = {
  title: 'Lunch',
  supported_languages: ['en'],
  pages: [{ questions: [{ id: 'ate', type: 'text', title: 'What did you eat?', required: true }] }],
};

/** Connections to a survey service, by calling process. */
export type DefinitionCallers = Readonly<Record<'import' | 'response', ServiceConnection>>;

/**
 * Contract tests of `DefinitionService`, for the survey service and its fakes.
 *
 * @param connections returns connections to the implementation under test; called when the tests run
 */
export function itServesDefinitions(connections: () => DefinitionCallers): void {
  const client = (caller: keyof DefinitionCallers) => connections()[caller].client(DefinitionService);
  const store = async (
    given: Partial<MessageInitShape<typeof StoreImportedSurveyRequestSchema>> = {},
    tenantId: string = randomUUID(),
  ) => {
    const request = {
      surveyId: randomUUID(),
      schemaVersion: '1.0',
      version: 3,
      definition,
      status: 'closed',
      ...given,
    };
    const claims = { tenantId, subject: 'user-1' };
    // The defaults provide all other members.
    const message = request as MessageInitShape<typeof StoreImportedSurveyRequestSchema>;
    return (await client('import').storeImportedSurvey(message, callOptionsFor({ claims }))).survey;
  };
  const find = (surveyId: string) => client('response').getDefinition({ surveyId }, callOptionsFor({}));

  it.each(['draft', 'closed'])('stores an imported survey as %s, and returns it', async (status) => {
    const [surveyId, tenantId] = [randomUUID(), randomUUID()];
    const expected = { tenantId, status, schemaVersion: '1.0', version: 3, definition };
    expect(await store({ surveyId, status }, tenantId)).toMatchObject({
      id: surveyId,
      createdBy: 'user-1',
      ...expected,
    });
    expect(await find(surveyId)).toMatchObject(expected);
  });

  it('keeps the settings of an imported survey', async () => {
    const metadataFields = [{ name: 'campaign', type: 'string', maxLength: 9, from: ['url'] }];
    const settings = { access: 'links_only', languages: ['en'], retentionDays: 30, metadataFields };
    const stored = await store({ settings });
    expect(stored).toMatchObject({ settings });
    expect(await find(stored?.id ?? '')).toMatchObject({ settings });
  });

  it('returns the retention of surveys of several tenants, and omits unknown ones', async () => {
    const [limited, unlimited] = [await store({ settings: { retentionDays: 30 } }), await store()];
    const surveyIds = [limited?.id ?? '', randomUUID(), unlimited?.id ?? ''];
    const { retentions } = await client('response').getRetentions({ surveyIds }, callOptionsFor({}));
    const received = retentions.map(({ surveyId, tenantId, state, retentionDays }) => [
      surveyId,
      tenantId,
      state,
      retentionDays,
    ]);
    expect(new Set(received)).toEqual(
      new Set([
        [limited?.id, limited?.tenantId, 'kept', 30],
        [unlimited?.id, unlimited?.tenantId, 'kept', undefined],
      ]),
    );
  });

  it.each([[[]], [['x']], [Array.from({ length: 501 }, () => randomUUID())]])(
    'rejects an invalid request for retentions (%#)',
    async (surveyIds) => {
      const rejected = client('response').getRetentions({ surveyIds }, callOptionsFor({}));
      await expect(rejected).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  it('returns the first survey when it is stored again', async () => {
    const [surveyId, tenantId] = [randomUUID(), randomUUID()];
    await store({ surveyId }, tenantId);
    const again = { surveyId, version: 4, status: 'draft' };
    expect(await store(again, tenantId)).toMatchObject({ id: surveyId, version: 3, status: 'closed' });
    expect(await find(surveyId)).toMatchObject({ version: 3, status: 'closed' });
  });

  it('rejects the id of another tenant’s survey', async () => {
    const [surveyId, tenantId] = [randomUUID(), randomUUID()];
    await store({ surveyId }, tenantId);
    await expect(store({ surveyId })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await find(surveyId)).toMatchObject({ tenantId });
  });

  it('rejects an invalid definition', async () => {
    const rejected = store({ definition: { ...definition, title: '' } });
    await expect(rejected).rejects.toMatchObject({ code: 'INVALID_DEFINITION' });
  });

  it.each([[{ surveyId: 'x' }], [{ version: 0 }], [{ status: 'active' }], [{ settings: { access: 'nobody' } }]])(
    'rejects a survey with %j',
    async (given) => {
      await expect(store(given)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  it('does not find the slug of a link that does not exist', async () => {
    const claims = { tenantId: randomUUID() };
    const slug = client('response').getLinkSlug({ linkId: randomUUID() }, callOptionsFor({ claims }));
    await expect(slug).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
  });

  it('does not find an unknown survey', async () => {
    await expect(find(randomUUID())).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
  });
}
