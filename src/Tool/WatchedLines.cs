using RedisLatency.Fleet.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Reports.Output;

namespace RedisLatency.Tool;

/// <summary>What is seen of a run: a line for each second and role, and sentences between them.</summary>
internal sealed class WatchedLines(StandardOutput output)
{
    private const int LinesPerHead = 20;
    private const string Indent = "  ";

    // On a terminal the last heads have scrolled away; a file has one.
    private readonly bool _repeatsHead = !Console.IsOutputRedirected;
    private int _lines;

    public void Tell(string text)
    {
        var lines = WordWrap.Lines(PlainText.Clean(text), output.PageWidth() - Indent.Length);
        for (var i = 0; i < lines.Count; i++)
            output.WriteLine(i == 0 ? lines[i] : Indent + lines[i]);
    }

    public void Show(WatchedSecond second)
    {
        if (_lines == 0 || (_repeatsHead && _lines % LinesPerHead == 0))
            Write("time", "role", "of series", "members", "count", "p50", "p99", "max");
        _lines++;
        Write(
            Quantity.Elapsed(second.End), second.Role, PlainText.Clean(second.Series),
            $"{second.Members}/{second.Expected}", Quantity.Count(second.Count), Quantity.Duration(second.P50),
            Quantity.Duration(second.P99), Quantity.Duration(second.Max));
    }

    private void Write(
        string time, string role, string series, string members, string count, string p50, string p99, string max) =>
        output.WriteLine($"{time,6} {role,-8} {series,-12} {members,7} {count,11} {p50,9} {p99,9} {max,9}");
}
