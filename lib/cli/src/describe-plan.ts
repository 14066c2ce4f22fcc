import type { ImportPlan } from '@survey/client';

/** Describes a plan in lines for people: a line for each column, then problems and options that would help. */
export function describePlan(plan: ImportPlan): readonly string[] {
  const { source, format, dialect, rows, columns, problems, warnings, suggestions } = plan;
  const rowCount = columns.length === 0 ? '' : `, ${rows} rows`;
  return [
    `${source} ${format}${dialect === '' ? '' : ` (${dialect})`}${rowCount}`,
    ...columns.map(({ column, heading, target, suggestion, problems: columnProblems }) => {
      const hint = target === '' && suggestion !== '' ? `, perhaps ${suggestion}` : '';
      return [`#${column} ${heading}: ${target === '' ? 'not imported' : target}${hint}`, ...columnProblems].join('; ');
    }),
    ...warnings.map(({ code, detail }) => `warning ${code}: ${detail}`),
    ...problems.map(({ code, detail }) => `problem ${code}: ${detail}`),
    ...suggestions.map(({ name, values }) => `--${name.replaceAll('_', '-')} can be ${values.join(' or ')}`),
  ];
}
