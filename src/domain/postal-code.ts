/** A state or union territory, with its code in GST numbers and returns. */
export interface State {
  name: string;
  gstCode: string;
}
