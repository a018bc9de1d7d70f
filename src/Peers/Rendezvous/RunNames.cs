using System.Globalization;
using System.Reflection;

namespace RedisLatency.Peers.Rendezvous;

/// <summary>The names that the processes of a run must agree on without having spoken.</summary>
public static class RunNames
{
    /// <summary>The longest name of a run, a region or an instance.</summary>
    public const int Longest = 64;

    /// <summary>The run where nobody named one, so that a pair finds each other by itself.</summary>
    public const string DefaultRun = "default";

    /// <summary>The process where nobody named it: its machine.</summary>
    public static string DefaultInstance { get; } = Environment.MachineName;

    /// <summary>The version of the suite, as announcements carry it.</summary>
    public static string SuiteVersion { get; } =
        typeof(RunNames).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
            .InformationalVersion.Split('+')[0];

    /// <summary>The channel that a run's producers publish to.</summary>
    public static string Ping(string run) => $"redislatency:{run}:ping";

    /// <summary>The channel that a run's consumers answer on.</summary>
    public static string Pong(string run) => $"redislatency:{run}:pong";

    /// <summary>The channel of one of several parallel streams: the first keeps the plain name.</summary>
    public static string ChannelOf(string channel, int stream) =>
        stream == 0 ? channel : string.Create(CultureInfo.InvariantCulture, $"{channel}:{stream}");
}
