using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// What a server says of its part in a replication at one moment; what it does not say is empty or zero.
/// </summary>
internal sealed record EndState
{
    private static readonly string[] Sections = ["server", "replication", "stats", "commandstats"];

    /// <summary>Changes with every start of the server.</summary>
    public string RunId { get; init; } = string.Empty;

    /// <summary>master or slave.</summary>
    public string Role { get; init; } = string.Empty;

    /// <summary>Whom it replicates; empty where nobody.</summary>
    public string Primary { get; init; } = string.Empty;

    /// <summary>up or down; empty at a primary.</summary>
    public string Link { get; init; } = string.Empty;

    /// <summary>Whether it is receiving a full copy.</summary>
    public bool IsReceivingCopy { get; init; }

    /// <summary>Full copies that it sent to replicas since it started.</summary>
    public long FullResyncs { get; init; }

    /// <summary>Replicas that went on where they had stopped.</summary>
    public long PartialResyncs { get; init; }

    /// <summary>Times that it was flushed.</summary>
    public long Flushes { get; init; }

    /// <summary>Keys that it evicted because its memory was full.</summary>
    public long Evictions { get; init; }

    /// <summary>How long GET and MGET took it since it started, in microseconds; null where it does not tell.</summary>
    public long? ReadingMicroseconds { get; init; }

    /// <summary>Asks a server.</summary>
    /// <returns>The state, or why there is none.</returns>
    /// <exception cref="Redis.RedisException">The connection is gone, or no reply came in time.</exception>
    public static (EndState? State, string? Refusal) Read(RedisConnection connection)
    {
        var fields = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var section in Sections)
        {
            var reply = connection.Request(RespLimits.List, "INFO", section);
            if (reply.IsError)
                return (null, reply.Text);
            Add(reply.Text, fields);
        }

        return (Of(fields), null);
    }

    /// <summary>The state by the fields of INFO.</summary>
    public static EndState Of(IReadOnlyDictionary<string, string> fields)
    {
        return new EndState
        {
            RunId = Text("run_id"),
            Role = Text("role"),
            Primary = fields.ContainsKey("master_host") ? $"{Text("master_host")}:{Text("master_port")}" : string.Empty,
            Link = Text("master_link_status"),
            IsReceivingCopy = Text("master_sync_in_progress") == "1",
            FullResyncs = Number(Text("sync_full")),
            PartialResyncs = Number(Text("sync_partial_ok")),
            Flushes = Calls("cmdstat_flushall") + Calls("cmdstat_flushdb"),
            Evictions = Number(Text("evicted_keys")),
            ReadingMicroseconds = Microseconds("cmdstat_mget") + (Microseconds("cmdstat_get") ?? 0),
        };

        string Text(string name) => fields.GetValueOrDefault(name) ?? string.Empty;

        long? Microseconds(string name) => Text(name).Split(',') is [_, var took, ..]
            ? Number(took.Replace("usec=", string.Empty, StringComparison.Ordinal))
            : null;

        long Calls(string name) => Number(Text(name).Split(',')[0].Replace("calls=", string.Empty, StringComparison.Ordinal));
    }

    /// <summary>Adds the fields of a reply of INFO.</summary>
    public static void Add(string info, Dictionary<string, string> fields)
    {
        foreach (var line in info.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (!line.StartsWith('#') && line.IndexOf(':', StringComparison.Ordinal) is var colon and > 0)
                fields[line[..colon]] = line[(colon + 1)..];
        }
    }

    private static long Number(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
