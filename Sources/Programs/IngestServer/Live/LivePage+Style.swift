// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// The style of the page.
  static let style = frameStyle + "\n" + partStyle

  private static let frameStyle = """
    :root {
      color-scheme: light dark;
      --ground: #f4f6f8; --card: #ffffff; --line: #dbe1e7; --text: #16202b; --quiet: #566473;
      --accent: #0b6bcb; --good: #17703a; --warn: #9a5200; --bad: #b3261e; --flag: #fdf0dc;
      --fresh: #e4f1ff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #0f151b; --card: #18212a; --line: #2b3844; --text: #e8eef4; --quiet: #9cabba;
        --accent: #6cb3ff; --good: #62cf8b; --warn: #f3b562; --bad: #ff8f86; --flag: #3a2b12;
        --fresh: #1d3850;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    .aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    body {
      margin: 0; background: var(--ground); color: var(--text);
      font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    }
    body > header, main { max-width: 116rem; margin: 0 auto; padding: 0 1rem; }
    body > header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
    h1 { font-size: 1.25rem; letter-spacing: .01em; margin: 1rem 0; }
    h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
    h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
    a { color: var(--accent); }
    #state { margin: 0; font-size: .875rem; color: var(--quiet); }
    #state::before {
      content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .5em;
      border-radius: 50%; background: var(--quiet);
    }
    #state[data-state=live]::before { background: var(--good); }
    #state[data-state=lost] { color: var(--bad); font-weight: 600; }
    #state[data-state=lost]::before { background: var(--bad); }
    #login, #empty {
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.25rem;
    }
    #login { max-width: 32rem; margin: 2rem auto; }
    #login p { margin: 0 0 .75rem; color: var(--quiet); }
    #login #refusal { color: var(--bad); }
    #login #refusal:empty { display: none; }
    label { font-weight: 600; }
    .field { display: flex; gap: .5rem; margin-top: .25rem; }
    input, button, select { font: inherit; padding: .5rem .75rem; border-radius: .4rem; }
    input, select { min-width: 0; border: 1px solid var(--quiet); background: var(--ground); color: var(--text); }
    .field input { flex: 1; }
    button { border: 0; background: var(--accent); color: var(--card); font-weight: 600; cursor: pointer; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    #totals { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin: 0 0 1rem; }
    #totals div {
      display: flex; align-items: baseline; justify-content: space-between; gap: .25rem .75rem; flex-wrap: wrap;
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .35rem .9rem;
    }
    #totals dt { font-size: .8125rem; color: var(--quiet); }
    #totals dd { margin: 0; font-size: 1.125rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    #totals .some[data-total=rejected] { color: var(--bad); }
    #empty { color: var(--quiet); margin: 0; }
    .jump { margin: 0 0 .75rem; display: flex; gap: 1.25rem; }
    .jump a { padding: .25rem 0; }
    """

  private static let partStyle = """
    #patients, #arrivals { margin-bottom: 2rem; scroll-margin-top: 1rem; }
    .bar { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: .5rem; }
    .bar h2, .bar p { margin: 0; }
    #tools { display: flex; flex-wrap: wrap; gap: .5rem; margin-left: auto; }
    #tools label { font-weight: 400; font-size: .875rem; color: var(--quiet); display: flex; align-items: center; gap: .4rem; }
    #tools input, #tools select { padding: .25rem .5rem; }
    #tools input { width: 10rem; }
    #reach { margin: 0 0 .5rem; }
    #reach:empty { display: none; }
    #cards {
      display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: .75rem;
    }
    .patient {
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem .9rem;
    }
    .patient header { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; }
    .patient header div { text-align: right; }
    .notices, .marks { list-style: none; padding: 0; }
    .notices { margin: .5rem 0 0; }
    .notice {
      display: flex; gap: .6rem; align-items: start; padding: .4rem .6rem; margin-top: .35rem;
      background: var(--flag); border-left: 4px solid var(--warn); border-radius: .3rem;
    }
    .notice strong { font-weight: 600; }
    .notice .quiet { color: inherit; }
    .sign {
      flex: none; width: 1.25rem; height: 1.25rem; border-radius: 50%; background: var(--warn); color: var(--card);
      font-weight: 700; font-size: .875rem; line-height: 1.25rem; text-align: center; margin-top: .1rem;
    }
    table { width: 100%; border-collapse: collapse; position: relative; }
    .patient > table { margin-top: .35rem; }
    tbody th, td { padding: .4rem 0; vertical-align: top; border-top: 1px solid var(--line); text-align: left; font-weight: 400; }
    .patient > header + table tr:first-child > * { border-top-color: transparent; }
    .name { display: block; font-weight: 600; }
    td.value { width: 1%; padding: .4rem .75rem; text-align: right; white-space: nowrap; }
    td.value .quiet { white-space: normal; }
    .range { white-space: nowrap; }
    td.value strong { font-size: 1.1875rem; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
    td.value small { font-size: .8125rem; color: var(--quiet); white-space: nowrap; }
    td.trend { width: 6.5rem; text-align: right; }
    td.trend .quiet { font-size: .75rem; font-variant-numeric: tabular-nums; }
    .drawing { display: block; margin-left: auto; max-width: 100%; }
    .line { fill: none; stroke: var(--accent); stroke-width: 1.4; stroke-linejoin: round; }
    .band { fill: var(--accent); stroke: var(--accent); stroke-width: 1; stroke-linejoin: round; opacity: .55; }
    .line.second { stroke: var(--quiet); }
    .point { fill: var(--accent); }
    .second ~ .point { fill: var(--quiet); }
    .second ~ .point.marked, .point.marked { fill: var(--warn); stroke: var(--card); stroke-width: .8; }
    summary { cursor: pointer; padding: .4rem 0; color: var(--accent); border-top: 1px solid var(--line); }
    #without { margin-top: .75rem; }
    #empty-patients { list-style: none; margin: .25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
    .patient > .quiet { margin: .4rem 0 0; }
    #readings { list-style: none; margin: 0; padding: 0; }
    #readings > li {
      display: grid; grid-template-columns: 9.5rem 14rem 1fr; gap: .25rem 1.25rem; align-items: start;
      background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
      padding: .75rem .9rem; margin-bottom: .5rem;
    }
    .quiet { display: block; font-size: .8125rem; color: var(--quiet); overflow-wrap: anywhere; }
    .warn { color: var(--warn); }
    .who { font-weight: 600; overflow-wrap: anywhere; }
    .clock { font-weight: 600; font-variant-numeric: tabular-nums; }
    #readings .former dd { color: var(--quiet); }
    .values { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; }
    .values dt { font-size: .8125rem; color: var(--quiet); }
    .values dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    .values small { font-size: .875rem; font-weight: 400; color: var(--quiet); }
    .marks { margin: .35rem 0 0; display: flex; flex-wrap: wrap; gap: .35rem; }
    .mark {
      font-size: .8125rem; padding: .1rem .55rem; border-radius: 1rem; border: 1px solid var(--warn);
      background: var(--flag); color: var(--warn);
    }
    .mark.plain { border-color: var(--line); background: none; color: var(--quiet); }
    @media (prefers-reduced-motion: no-preference) {
      @keyframes arrive { from { background: var(--fresh); } }
      #readings li.fresh, .patient.fresh { animation: arrive 4s ease-out; }
    }
    @media (min-width: 76rem) {
      .jump { display: none; }
      .parts { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1.5rem; align-items: start; }
      #arrivals { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; padding: .25rem; }
    }
    @media (max-width: 44rem), (min-width: 76rem) {
      #readings > li { grid-template-columns: 1fr; }
      .when, .whose { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .6rem; }
    }
    @media (max-width: 44rem) {
      #totals { grid-template-columns: repeat(2, 1fr); }
      #tools { margin-left: 0; width: 100%; }
      #tools label { flex: 1; }
      #tools input, #tools select { width: 100%; }
      td.value { padding: .4rem .5rem; }
      td.value strong { font-size: 1.125rem; }
      td.trend { width: 4.75rem; }
    }
    """
}
