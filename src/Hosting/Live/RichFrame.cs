using System.Globalization;
using RedisLatency.Reports.Output;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace RedisLatency.Hosting.Live;

/// <summary>What the rich view shows at one moment; one line where the terminal is narrow.</summary>
internal sealed class RichFrame(LiveDescription description, bool hasKeys = false)
{
    /// <summary>Below this width, the terminal's less four, the frame is one line.</summary>
    public const int NarrowestTable = 56;

    private const int RememberedIntervals = 60;
    private const int WidestBar = 40;

    // Below this width some percentiles are left out.
    private const int WidestTable = 74;
    private const string Levels = "▁▂▃▄▅▆▇█";

    private readonly Queue<long> _p99 = new(RememberedIntervals);

    public void Remember(in LiveSnapshot snapshot)
    {
        var figures = snapshot.IntendedInterval ?? snapshot.SentInterval;
        if (_p99.Count == RememberedIntervals)
            _p99.Dequeue();
        _p99.Enqueue(figures.Count > 0 ? figures.P99 : 0);
    }

    public IRenderable Render(in LiveSnapshot snapshot, int width) => width < NarrowestTable
        ? new Text(Cut(LineOf(snapshot), width))
        : new Rows(
            new Text(Cut(description.Title, width), new Style(decoration: Decoration.Bold)),
            Progress(snapshot, width),
            Text.Empty,
            Facts(snapshot, width),
            Text.Empty,
            Latencies(snapshot, isWide: width >= WidestTable),
            Text.Empty,
            RecentP99(width),
            Text.Empty,
            new Text(
                hasKeys ? LiveKeys.Help : "Ctrl-C drains and reports; a second one ends at once.",
                new Style(decoration: Decoration.Dim)));

    private string LineOf(in LiveSnapshot snapshot)
    {
        var figures = snapshot.IntendedInterval ?? snapshot.SentInterval;
        return $"{PhaseNames.Short(snapshot.Phase)} {Quantity.Elapsed(snapshot.Elapsed)}"
            + $" {Quantity.Rate(Math.Round(snapshot.AchievedRate))}"
            + $" p99 {(figures.Count > 0 ? Quantity.Duration(figures.P99) : Quantity.None)}"
            + (description.CanBeLost
                ? $" lost {Quantity.Count(snapshot.Lost)}"
                : $" {description.Errors} {Quantity.Count(snapshot.Errors)}");
    }

    private Paragraph Progress(in LiveSnapshot snapshot, int width)
    {
        var phase = PhaseNames.Short(snapshot.Phase).ToUpperInvariant();
        var time = $"  {Quantity.Elapsed(snapshot.Elapsed)}"
            + (snapshot.Planned is { } planned ? $" / {Quantity.Elapsed(planned)}" : string.Empty);
        var line = new Paragraph()
            .Append(phase, new Style(Color.Green, decoration: Decoration.Bold))
            .Append(time);
        if (snapshot.Progress is { } progress)
        {
            var left = snapshot.Left is { } known ? $"  {Quantity.Elapsed(known)} left" : string.Empty;
            // So that the bar is as long before it is known, and at the end.
            var besideBar = phase.Length + time.Length + "    100 %".Length
                + (description.HasTimeLeft ? Math.Max(left.Length, "  0:00 left".Length) : 0);
            var bar = Math.Clamp(width - besideBar, 0, WidestBar);
            var done = (int)Math.Round(Math.Clamp(progress, 0, 1) * bar);
            line.Append($"  {new string('█', done)}{new string('░', bar - done)}  {progress * 100:0} %");
            if (description.HasTimeLeft)
                line.Append(left);
        }

        return line;
    }

    private Grid Facts(in LiveSnapshot snapshot, int width)
    {
        var grid = new Grid()
            .AddColumn(new GridColumn().Width(12).PadLeft(0).NoWrap())
            .AddColumn(new GridColumn().PadLeft(0));
        grid.Width = width;
        grid.AddRow(new Text("rate"), new Text(
            (snapshot.TargetRate is { } target ? $"target {Quantity.Rate(target)}   " : string.Empty)
            + $"achieved {Quantity.Rate(Math.Round(snapshot.AchievedRate))}"
            + (snapshot is { TargetRate: not null, LatenessP99: { } lateness }
                ? $"   lateness p99 {Quantity.Duration(lateness)}"
                : string.Empty)));
        grid.AddRow(new Text(description.Items), new Text(
            $"{description.Sent} {Quantity.Count(snapshot.Sent)}"
            + (description.Returned is null
                ? string.Empty
                : $"   {description.Returned} {Quantity.Count(snapshot.Returned)}"
                    + $"   in flight {Quantity.Count(snapshot.InFlight)}")));
        var wrong = new Paragraph();
        if (description.CanBeLost)
        {
            grid.AddRow(new Text("missing"), new Paragraph()
                .Append(Wrong("lost", snapshot.Lost), Alarm(snapshot.Lost))
                .Append(Wrong("   late", snapshot.Late), Alarm(snapshot.Late))
                .Append(Wrong("   unsent", snapshot.Unsent), Alarm(snapshot.Unsent)));
            wrong.Append(Wrong("duplicated", snapshot.Duplicated), Alarm(snapshot.Duplicated))
                .Append(Wrong("   reordered", snapshot.Reordered), Alarm(snapshot.Reordered))
                .Append("   ");
        }

        wrong.Append(Wrong(description.Errors, snapshot.Errors), Alarm(snapshot.Errors));
        grid.AddRow(new Text("wrong"), wrong);
        if (snapshot.OneWay is { } oneWay)
        {
            grid.AddRow(new Text("one way"), new Text(
                $"p50 forward {Quantity.Duration(oneWay.ForwardP50)}"
                + (oneWay.BackP50 is { } back ? $"   back {Quantity.Duration(back)}" : string.Empty)
                + $"   ±{Quantity.Duration(oneWay.Error)}   provisional"));
        }

        if (snapshot.Age is { } age)
        {
            grid.AddRow(new Text("age"), new Paragraph()
                .Append(Quantity.Duration(age.TotalNanoseconds))
                .Append($"   alerts {Quantity.Count(snapshot.Alerts)}", Alarm(snapshot.Alerts)));
        }

        grid.AddRow(new Text("this tool"), new Text(
            $"longest pause {Quantity.Duration(snapshot.HiccupMax)}"
            + $"   GC {snapshot.Collections.ToString(CultureInfo.InvariantCulture)}"
            + $" ({Quantity.Duration(snapshot.CollectionPause.TotalNanoseconds)})"
            + $"   CPU {Quantity.Percent(Math.Round(snapshot.CpuShare, 2))}"));
        return grid;
    }

    private static string Wrong(string name, long count) => $"{name} {Quantity.Count(count)}";

    private static Style Alarm(long count) =>
        count > 0 ? new Style(Color.Red, decoration: Decoration.Bold) : Style.Plain;

    private Table Latencies(in LiveSnapshot snapshot, bool isWide)
    {
        var unit = Quantity.UnitFor(snapshot.SentInterval.P50, snapshot.SentRun.P50, snapshot.IntendedRun?.P50 ?? 0);
        var table = new Table().NoBorder().AddColumn(
            new TableColumn(new Text($"latency, {Quantity.Symbol(unit)}")).PadLeft(0).NoWrap());
        foreach (var head in isWide ? (string[])["p50", "p90", "p99", "p99.9", "max"] : ["p50", "p99", "max"])
            table.AddColumn(new TableColumn(new Text(head)).RightAligned().Width(9).PadLeft(1).PadRight(0).NoWrap());
        if (snapshot.IntendedInterval is { } intendedInterval)
            AddRow($"{description.FromIntended}, interval", intendedInterval);
        AddRow($"{description.Latency}, interval", snapshot.SentInterval);
        if (snapshot.IntendedRun is { } intendedRun)
            AddRow($"{description.FromIntended}, phase", intendedRun);
        AddRow($"{description.Latency}, phase", snapshot.SentRun);
        return table;

        void AddRow(string name, in LatencyFigures figures)
        {
            var row = new List<IRenderable> { new Text(name) };
            foreach (var value in isWide
                ? (ReadOnlySpan<long>)[figures.P50, figures.P90, figures.P99, figures.P999, figures.Max]
                : [figures.P50, figures.P99, figures.Max])
            {
                row.Add(new Text(figures.Count > 0 ? Quantity.Duration(value, unit) : Quantity.None));
            }

            table.AddRow(row);
        }
    }

    private Text RecentP99(int width)
    {
        var shown = _p99.TakeLast(width - 40).ToArray();
        var peak = shown.DefaultIfEmpty().Max();
        var levels = shown.Select(value => value <= 0 ? ' ' : Levels[(int)(value * (Levels.Length - 1) / peak)]);
        return new Text($"p99 per interval  {string.Concat(levels)}  highest {Quantity.Duration(peak)}");
    }

    private static string Cut(string line, int width) => line.Length > width ? line[..width] : line;
}
