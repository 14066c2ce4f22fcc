import type { DefinitionProblem, DefinitionReport } from '@survey/client';
import { Button } from '../ui/button.tsx';
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

interface Props {
  readonly findings: readonly Finding[];
  /** Goes to a line of the text. */
  readonly onSelect: (line: number) => void;
}

/** Errors and warnings of a definition, with their lines. */
export function FindingList({ findings, onSelect }: Props) {
  return (
    <ul className="findings" aria-label="Errors and warnings">
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be equal, and their order does not change.
        <li key={index}>
          <Button variant="plain" onPress={() => onSelect(finding.line)}>
            Line {finding.line}
          </Button>
          <FindingText finding={finding} />
        </li>
      ))}
    </ul>
  );
}

export function FindingText({ finding }: { readonly finding: Finding }) {
  return (
    <span>
      <span className="badge" data-tone={finding.severity === 'error' ? 'bad' : 'warn'}>
        {finding.severity}
      </span>{' '}
      <bdi>{finding.detail}</bdi> <code className="soft">{finding.code}</code>
    </span>
  );
}
