import type { DefinitionProblem, DefinitionReport, Survey } from '@survey/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';
import type { DefinitionPayload } from '../surveys/use-survey.ts';
import { lineOfPointer, linesOfValues } from './json-text.ts';

/** An error or warning at a line of the text of a definition. Lines count from 1. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** Finds the lines of a report in the text that was checked. Errors come first, each kind in the order of lines. */
export function locateFindings(text: string, report: DefinitionReport): readonly Finding[] {
  const lines = linesOfValues(text);
  const locate = (severity: Finding['severity']) => (problem: DefinitionProblem) => ({
    severity,
    line: lineOfPointer(lines, problem.path),
    code: problem.code,
    detail: problem.detail,
  });
  const byLine = (left: Finding, right: Finding) => left.line - right.line;
  return [
    ...report.errors.map(locate('error')).toSorted(byLine),
    ...report.warnings.map(locate('warning')).toSorted(byLine),
  ];
}

/** Describes numbers of errors and warnings, such as `1 error, 2 warnings`. */
export function describeFindings({ errors, warnings }: Pick<DefinitionReport, 'errors' | 'warnings'>): string {
  const parts = [count(errors.length, 'error'), count(warnings.length, 'warning')].filter((part) => part !== '');
  return parts.length === 0 ? 'no errors or warnings' : parts.join(', ');
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Validates a definition of a survey. Waits as long as the payload is undefined. */
export function useReport(survey: Survey, payload: DefinitionPayload | undefined): UseQueryResult<DefinitionReport> {
  const client = useClient();
  return useQuery({
    queryKey: ['report', survey.id, payload],
    queryFn: ({ signal }) =>
      payload?.survey === survey.definition
        ? client.surveys.validate(survey.id, { signal })
        : client.surveys.validatePayload({ ...payload }, { signal }),
    enabled: payload !== undefined,
  });
}
