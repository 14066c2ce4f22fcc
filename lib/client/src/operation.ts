/** The HTTP request and reply of an operation of the API. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters, such as `/v1/surveys/{survey_id}`. */
  readonly path: string;
  /** `json`: one value. `pages`: a list of several pages. `stream`: bytes. `none`: no body. */
  readonly reply: 'json' | 'pages' | 'stream' | 'none';
  /** The member of the JSON reply with the items of a page. If it is undefined, the reply is the list. */
  readonly items?: string;
  /** Media type of the JSON body, if it can have one. */
  readonly json?: string;
  /** Whether the body can be a file. */
  readonly file?: true;
  /** Whether there are query parameters. */
  readonly query?: true;
  /** Whether the name of a file is a query parameter. */
  readonly filename?: true;
  /** Names of headers by the name of their option. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the operation is for respondents, without a token. */
  readonly public?: true;
  /** Whether the operation has no side effects, although its method is not GET. */
  readonly safe?: true;
}
