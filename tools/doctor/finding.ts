/** A result of a check. */
export interface Finding {
  /** `problem`: something must be done. `warning`: something should be looked at. */
  readonly level: 'ok' | 'warning' | 'problem';
  /** The checked thing, such as `MongoDB of identity`. */
  readonly subject: string;
  readonly detail: string;
  /** The action to take; undefined if nothing is wrong. */
  readonly remedy?: string;
}

export const ok = (subject: string, detail: string): Finding => ({ level: 'ok', subject, detail });

export const warning = (subject: string, detail: string, remedy: string): Finding => ({
  level: 'warning',
  subject,
  detail,
  remedy,
});

export const problem = (subject: string, detail: string, remedy: string): Finding => ({
  level: 'problem',
  subject,
  detail,
  remedy,
});

/** Command that creates indexes and topics. */
export const RUN_SETUP = 'run "repair --execute", or set-up again with "helm upgrade"';

/** Text for a terminal: problems last, because the end of a text is seen first. */
export function toText(findings: readonly Finding[]): string {
  const lines = (['ok', 'warning', 'problem'] as const).flatMap((level) =>
    findings
      .filter((finding) => finding.level === level)
      .map(({ subject, detail, remedy }) =>
        [`${level.padEnd(7)}  ${subject}: ${detail}`, ...(remedy === undefined ? [] : [`         -> ${remedy}`])].join(
          '\n',
        ),
      ),
  );
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  return [...lines, `${count('problem')} problems, ${count('warning')} warnings, ${count('ok')} ok`].join('\n');
}

/** The message of an error, with those of its causes. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message || ('code' in error ? String(error.code) : error.name);
  return error.cause instanceof Error ? `${message}: ${describeError(error.cause)}` : message;
}
