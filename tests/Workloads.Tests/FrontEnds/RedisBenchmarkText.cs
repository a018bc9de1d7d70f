namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>
/// One test in redis-benchmark's default text, read as scripts do: written against the original's captured output.
/// </summary>
internal sealed record RedisBenchmarkText(string Title)
{
    public long Requests { get; private set; }

    public double Seconds { get; private set; }

    public double Rate { get; private set; }

    public long LastCumulative { get; private set; }

    /// <summary>What does not depend on time: title, requests, clients, payload, configuration, threads.</summary>
    public List<string> Facts { get; } = [];

    public static IReadOnlyList<RedisBenchmarkText> Parse(IReadOnlyList<string> lines)
    {
        var all = new List<RedisBenchmarkText>();
        foreach (var line in lines)
        {
            if (line.StartsWith("====== ", StringComparison.Ordinal))
            {
                all.Add(new RedisBenchmarkText(line[7..^7]));
                all[^1].Facts.Add(all[^1].Title);
            }
            else if (all.Count > 0)
            {
                all[^1].Take(line);
            }
        }

        return all;
    }

    private void Take(string line)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (line.Contains(" requests completed in ", StringComparison.Ordinal))
        {
            (Requests, Seconds) = (long.Parse(words[0]), OriginalOutput.NumberOf(words[4]));
            Facts.Add(words[0]);
        }
        else if (line.Contains("(cumulative count ", StringComparison.Ordinal))
        {
            LastCumulative = long.Parse(words[^1].TrimEnd(')'));
        }
        else if (line.Contains("throughput summary: ", StringComparison.Ordinal))
        {
            Rate = OriginalOutput.NumberOf(words[2]);
        }
        else if (line.StartsWith("  ", StringComparison.Ordinal) && !line.StartsWith("   ", StringComparison.Ordinal)
            && words.Length > 0 && !line.Contains("latency summary", StringComparison.Ordinal))
        {
            Facts.Add(line);
        }
    }
}
