/** Checks of parameters, as sentences. */
import type { Parameters } from '../http/route.ts';

type Check = (parameters: Parameters) => readonly string[];

export function requireText(name: string): Check {
  return (parameters) => {
    if (parameters[name] === undefined) return [`The property '${name}' is missing.`];
    return typeof parameters[name] === 'string' ? [] : [`The property '${name}' must be a string.`];
  };
}

export function allowBoolean(name: string): Check {
  return ({ [name]: value }) =>
    value === undefined || typeof value === 'boolean'
      ? []
      : [`The property '${name}' must be true or false.`];
}

export const allowNone: Check = (parameters) =>
  Object.keys(parameters).map((name) => `The property '${name}' is not expected here.`);
