import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { Survey } from '../survey.ts';
import { defaultSettings } from '../survey-settings.ts';

const time = new Date('2026-01-02T03:04:05.006Z');

/** A new survey. */
export const testSurvey: Survey = {
  id: 's-1',
  tenantId: toTenantId('t-1'),
  definition: { title: 'Lunch', supported_languages: ['en'] },
  schemaVersion: '1.0',
  version: 1,
  publishedVersion: undefined,
  status: 'draft',
  projectId: undefined,
  settings: defaultSettings,
  draft: undefined,
  revision: 1,
  createdAt: time,
  updatedAt: time,
  createdBy: 'author',
  updatedBy: 'author',
  publishedAt: undefined,
  deletedAt: undefined,
  deletedBy: undefined,
};
