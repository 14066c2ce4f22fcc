import { type Ran, runProgram } from '../../helm/tools.ts';
import { readShellLines } from '../../support/code-blocks.ts';
import { CERTIFICATES } from '../certificates.ts';

const PAGE = 'docs/runbook.md';
const FUNCTION = /^\w+\(\) \{.*\}$/;
/** Calls of the shell functions that read the cluster. */
const COMMAND = /^(?:k|pods|logs|errors) /;
/** Errors of commands that are correct. */
const EXPECTED_ERRORS = [
  // A container that never restarted has no earlier log.
  /previous terminated container .* not found/,
  // A cluster may lack the Gateway API, cert-manager and the Prometheus Operator.
  /the server doesn't have a resource type "(?:httproute|certificates|prometheusrule)"/,
  /^No resources found/,
  // The tests install no rules.
  /prometheusrules\S* "survey" not found/,
];
const JWKS_URL = 'http://127.0.0.1:9464/readyz';

export async function readRunbookCommands(): Promise<readonly string[]> {
  return [...new Set((await readShellLines(PAGE)).filter((line) => COMMAND.test(line)))];
}

/** Runs a command of the runbook as its reader would. Throws if it prints an error. */
export async function runInRunbookShell(command: string, pod: string): Promise<void> {
  const filledIn = command
    .replace(/\bPOD\b/, pod)
    .replace('REQUEST_ID', 'request-1')
    .replace(/\bSECRET\b/, CERTIFICATES);
  const { errors } = await runWithFunctions(`JWT_JWKS_URL=${JWKS_URL}\n${filledIn}`);
  // The exit code says nothing: grep exits with 1 if it finds nothing.
  if (errors !== '' && !EXPECTED_ERRORS.some((expected) => expected.test(errors)))
    throw new Error(`${filledIn}: ${errors}`);
}

/** Runs a command for operators in a pod, and returns its output. Throws if it fails. */
export async function runInAdminPod(command: string): Promise<string> {
  return runInOperatorShell(`admin ${command}`);
}

/** Runs a shell script that can use the functions of the runbook, and returns its output. Throws if it fails. */
export async function runInOperatorShell(script: string): Promise<string> {
  const { code, output, errors } = await runWithFunctions(script);
  if (code !== 0) throw new Error(`${script} failed (${code}): ${errors}${output}`);
  return output;
}

async function runWithFunctions(script: string): Promise<Ran> {
  const functions = (await readShellLines(PAGE)).filter((line) => FUNCTION.test(line));
  return runProgram('bash', ['-c', [...functions, script].join('\n')]);
}
