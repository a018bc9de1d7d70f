using System.Diagnostics;
using System.Globalization;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>What a server says about itself. A fact that it does not tell is null.</summary>
public sealed record ServerFacts
{
    // Each names itself by a version field of its own, beside the redis_version that it imitates.
    private static readonly string[] Imitators = ["valkey", "tair", "dragonfly", "garnet", "kvrocks", "pika"];

    /// <summary><c>redis</c>, or the name of what stands in its place: <c>valkey</c>, <c>tair</c>, …</summary>
    public string? Name { get; init; }

    /// <summary>Its own version, not the one of the Redis that it imitates.</summary>
    public string? Version { get; init; }

    /// <summary><c>standalone</c>, <c>cluster</c> or <c>sentinel</c>.</summary>
    public string? Mode { get; init; }

    /// <summary>The identity of this run of the server: it changes when the server starts again.</summary>
    public string? RunId { get; init; }

    /// <summary>The server's operating system.</summary>
    public string? OperatingSystem { get; init; }

    /// <summary><c>master</c> or <c>slave</c>.</summary>
    public string? Role { get; init; }

    /// <summary>Whether it is still loading its data set.</summary>
    public bool? IsLoading { get; init; }

    /// <summary>CPU time that the server's process has used so far, user and system, in seconds.</summary>
    public double? CpuSeconds { get; init; }

    /// <summary>How long it took to answer.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Everything that INFO said, under INFO's names.</summary>
    public IReadOnlyDictionary<string, string> Fields { get; init; } = new Dictionary<string, string>();

    /// <summary>Why facts are missing, or null when INFO could be read.</summary>
    public string? UnavailableBecause { get; init; }

    /// <summary>Asks the server by INFO; without the right to it, by what HELLO said.</summary>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    /// <exception cref="RedisTimeoutException">No reply came in time.</exception>
    public static ServerFacts Read(RedisConnection connection)
    {
        var asked = Stopwatch.GetTimestamp();
        var reply = connection.Request(RespLimits.List, "INFO");
        var roundTrip = Stopwatch.GetElapsedTime(asked);
        var facts = reply.IsError ? FromHello(connection.Hello, reply.Text) : FromFields(reply.Text);
        return facts with { RoundTrip = roundTrip };
    }

    internal static ServerFacts FromFields(string info)
    {
        var fields = FieldsOf(info);
        var name = fields.GetValueOrDefault("server_name")
            ?? Imitators.FirstOrDefault(imitator => fields.ContainsKey($"{imitator}_version"))
            ?? (fields.ContainsKey("redis_version") ? "redis" : null);
        return new ServerFacts
        {
            Name = name,
            Version = fields.GetValueOrDefault($"{name}_version") ?? fields.GetValueOrDefault("redis_version"),
            Mode = fields.GetValueOrDefault("server_mode") ?? fields.GetValueOrDefault("redis_mode"),
            RunId = fields.GetValueOrDefault("run_id"),
            OperatingSystem = fields.GetValueOrDefault("os"),
            Role = fields.GetValueOrDefault("role"),
            Fields = fields,
            CpuSeconds = Seconds("used_cpu_sys") + Seconds("used_cpu_user"),
            IsLoading = fields.TryGetValue("loading", out var loading) ? loading != "0" : null,
        };

        double? Seconds(string field) =>
            double.TryParse(
                fields.GetValueOrDefault(field), NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                ? value
                : null;
    }

    /// <summary>The lines of INFO, by their names.</summary>
    public static Dictionary<string, string> FieldsOf(string info)
    {
        var fields = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var line in info.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (!line.StartsWith('#') && line.IndexOf(':') is var colon and > 0)
                fields[line[..colon]] = line[(colon + 1)..];
        }

        return fields;
    }

    private static ServerFacts FromHello(RespValue? hello, string error) => new()
    {
        Name = hello?.Find("server")?.Text,
        Version = hello?.Find("version")?.Text,
        Mode = hello?.Find("mode")?.Text,
        Role = hello?.Find("role")?.Text,
        UnavailableBecause = $"INFO was refused: {error}",
    };
}
