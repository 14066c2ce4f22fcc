import { randomUUID } from 'node:crypto';
import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { expect, it } from 'vitest';
import { callOptionsFor, type ServiceConnection } from '../../rpc/service-client.ts';

interface Subject {
  readonly connection: ServiceConnection;
  addSurvey(tenantId: string): Promise<string>;
  deleteSurvey(tenantId: string, id: string): Promise<void>;
}

/**
 * Contract tests of `FindSurveys`, for the survey service and its fakes.
 *
 * @param subject returns the implementation under test; called when the tests run
 */
export function itFindsSurveys(subject: () => Subject): void {
  const find = async (tenantId: string, surveyIds: readonly string[]) => {
    const client = subject().connection.client(DefinitionService);
    const options = callOptionsFor({ claims: { tenantId, subject: 'user-1' } });
    return (await client.findSurveys({ surveyIds: [...surveyIds] }, options)).surveyIds;
  };

  it('finds the surveys of the tenant, and none of another tenant, deleted or unknown', async () => {
    const { addSurvey, deleteSurvey } = subject();
    const [mine, other] = [randomUUID(), randomUUID()];
    const [first, second, gone] = [await addSurvey(mine), await addSurvey(mine), await addSurvey(mine)];
    const foreign = await addSurvey(other);
    await deleteSurvey(mine, gone);
    const found = await find(mine, [gone, second, foreign, randomUUID(), first]);
    expect(found.toSorted()).toEqual([first, second].toSorted());
    expect(await find(mine, [foreign])).toEqual([]);
  });

  it.each([[[]], [['x']], [Array.from({ length: 101 }, () => randomUUID())]])(
    'rejects an empty list, ids that are not UUIDs, and too many ids (%#)',
    async (ids) => {
      await expect(find(randomUUID(), ids)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );
}
