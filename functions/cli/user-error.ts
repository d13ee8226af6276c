/** Something that the person who typed the command can put right. Its message stands alone: what, where, what next. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
