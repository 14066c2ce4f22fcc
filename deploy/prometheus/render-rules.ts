import { parse } from 'yaml';

interface Rule {
  readonly expr: string;
  readonly alert?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** The part of `prometheusRule` in the chart's values that affects rules. */
interface RuleValues {
  readonly selector: {
    readonly namespace: string;
    readonly release: string;
    readonly jobPrefix: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly runbookUrl: string;
  readonly alertLabels: Readonly<Record<string, string>>;
  readonly disabledAlerts: readonly string[];
  readonly objectives: Readonly<Record<string, number>>;
  readonly thresholds: Readonly<Record<string, number>>;
}

/** Default of the namespace and of the name of the release. */
const DEFAULT_NAME = 'survey';
const PROCESSES = 'gateway|identity|survey|response|webhook|import';

/**
 * Renders `helm/files/rules.yaml` as the chart does in `templates/prometheusrule.yaml`; a test compares both.
 *
 * @param source text of `rules.yaml`
 * @param values text of `values.yaml`
 */
export function renderRules(source: string, values: string): { readonly groups: readonly RuleGroup[] } {
  // The schema of the chart checks the values, and promtool checks the rules.
  const { prometheusRule } = parse(values) as { readonly prometheusRule: RuleValues };
  const { groups } = parse(source) as { readonly groups: readonly RuleGroup[] };
  const { disabledAlerts } = prometheusRule;
  return {
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules
        .filter(({ alert }) => alert === undefined || !disabledAlerts.includes(alert))
        .map((rule) => renderRule(rule, prometheusRule)),
    })),
  };
}

function renderRule(rule: Rule, values: RuleValues): Rule {
  const { selector, runbookUrl, alertLabels, objectives, thresholds } = values;
  const { namespace, release, jobPrefix, labels } = selector;
  const installation = { namespace: namespace || DEFAULT_NAME, release: release || DEFAULT_NAME, ...labels };
  const matchers = Object.entries(installation).map(([label, value]) => `${label}="${value}"`);
  const replacements: readonly (readonly [string, string])[] = [
    ['$installation', matchers.join(', ')],
    ['$processes', [...matchers, `job=~"${jobPrefix}(${PROCESSES})"`].join(', ')],
    ['$jobPrefix', jobPrefix],
    ['$threshold', String(thresholds[rule.alert ?? ''])],
    ...Object.entries(objectives).map(([name, percent]) => [`$${name}`, String(percent)] as const),
  ];
  return {
    ...rule,
    expr: replacements.reduce((expr, [name, value]) => expr.replaceAll(name, value), rule.expr),
    labels: { ...installation, ...(rule.alert === undefined ? {} : alertLabels), ...rule.labels },
    ...(rule.alert === undefined || runbookUrl === ''
      ? {}
      : { annotations: { ...rule.annotations, runbook_url: `${runbookUrl}#${rule.alert.toLowerCase()}` } }),
  };
}
