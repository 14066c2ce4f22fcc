/**
 * The URL of the repository whose workflow runs, such as https://github.com/owner/name; undefined outside of a
 * workflow.
 */
export function repositoryUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): string | undefined {
  return GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
}
