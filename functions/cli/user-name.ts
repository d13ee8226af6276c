import { userInfo } from 'node:os';

/** Who acts: the name of the operating system's user. In a container one may have a number and no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
