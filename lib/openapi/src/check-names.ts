import type { Route } from '@survey/runtime/rest/route';
import type { Schemas } from './schemas.ts';

/** Throws if the name of a schema or the value of an enum conflicts with a name that generators of clients make. */
export function checkNames(components: Schemas['components'], routes: readonly Route[]): void {
  checkReplies(components, routes);
  checkEnums(components);
}

/** Some generators make a type `GetSurveyResponse` for the reply of the operation `GetSurvey`. */
function checkReplies(components: Schemas['components'], routes: readonly Route[]): void {
  const names = routes.map(({ operationId }) => operationId.charAt(0).toUpperCase() + operationId.slice(1));
  for (const name of ['Response', ...names.map((operation) => `${operation}Response`)])
    if (Object.hasOwn(components, name))
      throw new Error(`generators use the name ${name} themselves: give the message a schema_name`);
}

/** Generators for Go make a constant of each value of a named enum, without the name of the enum. */
function checkEnums(components: Schemas['components']): void {
  const enumsByConstant = new Map<string, string>();
  for (const [name, { enum: values = [] }] of Object.entries(components))
    for (const value of values as readonly string[]) {
      const constant = value.toUpperCase();
      const other = enumsByConstant.get(constant);
      if (other !== undefined) throw new Error(`the enums ${other} and ${name} cannot both have the value ${value}`);
      enumsByConstant.set(constant, name);
    }
}
