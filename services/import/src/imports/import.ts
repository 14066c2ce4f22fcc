import type { JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';

export interface ImportOptions {
  readonly preserveIds: boolean;
  readonly validateLogic: boolean;
  readonly importResponses: boolean;
  /** Empty when the file's own is to be taken. */
  readonly title: string;
  readonly language: string;
}

export interface SurveyImport {
  readonly source: string;
  readonly format: string;
  readonly data: JsonValue;
  readonly options: ImportOptions;
}

export interface ResponseImport {
  readonly surveyId: string;
  readonly format: string;
  readonly data: JsonValue;
  /** Whether the cells of a CSV are masked against being formulas; undefined when the file is to tell. */
  readonly unmask: boolean | undefined;
}

/** One import, from its beginning. */
export interface Import {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly source: string;
  readonly format: string;
  readonly startedAt: Date;
  readonly startedBy: string;
}
