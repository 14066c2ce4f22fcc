import type { Stack } from '@survey/local/stack';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createBenchTenant } from './bench-tenant.ts';

/** A submission of complete answers. */
export const lunchBody = JSON.stringify({ status: 'completed', data: lunchAnswers });

/** Publishes the survey in a new tenant. Returns the path for its responses. */
export async function publishLunch(stack: Stack, folder: string): Promise<string> {
  const { call } = await createBenchTenant(stack, folder);
  const made = await call('POST', '/v1/surveys', lunchSurvey);
  // The reply is a survey.
  const { id } = (await made.json()) as { id: string };
  await call('POST', `/v1/surveys/${id}/publish`);
  return `/v1/public/surveys/${id}/responses`;
}
