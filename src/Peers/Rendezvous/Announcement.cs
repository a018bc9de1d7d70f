using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Peers.Rendezvous;

/// <summary>What a process says of itself to the others of its run, by a message or in a key.</summary>
/// <param name="Run">The run's name.</param>
/// <param name="Role"><c>producer</c>, <c>consumer</c> or <c>writer</c>.</param>
/// <param name="Instance">Which process it is.</param>
/// <param name="Region">Where it stands; empty where nobody said.</param>
/// <param name="Version">The version of the suite.</param>
[JsonConverter(typeof(AnnouncementJson))]
public sealed record Announcement(string Run, string Role, string Instance, string Region, string Version)
{
    /// <summary>
    /// Which monotonic clock stamps its messages; null where it did not say, as older versions do not.
    /// </summary>
    public ClockIdentity? Clock { get; init; }

    /// <summary>Whether that clock is a synthetic one, for a test; null where it is not, or did not say.</summary>
    public bool? IsSynthetic { get; init; }

    /// <summary>
    /// What its threads have waited for a processor since it began to serve; null where it did not say, as older
    /// versions, and where nobody counts it.
    /// </summary>
    public ReportedWaits? Waits { get; init; }

    /// <summary>By how many nanoseconds its clock goes on at a time; null where it did not say.</summary>
    public long? TickNs { get; init; }

    /// <summary>How it can be asked for the time; null where it cannot, as older versions, or did not say.</summary>
    public ProbeOffer? Probe { get; init; }

    /// <summary>Where it stands; null where nobody said.</summary>
    public string? NamedRegion => Region.Length == 0 ? null : Region;

    /// <summary>What a process of this version says of itself.</summary>
    public static Announcement OfThis(string run, string role, string instance, string? region) =>
        new(run, role, instance, region ?? string.Empty, RunNames.SuiteVersion);

    /// <summary>The same with the clock of this host, and how it can be asked; null for nobody.</summary>
    public Announcement WithClock(ProbeOffer? probe) => this with
    {
        Clock = ClockIdentity.Read(),
        IsSynthetic = MonotonicClock.IsSynthetic ? true : null,
        Probe = probe,
    };

    /// <summary>Names a peer of another version, which may measure otherwise; null where it is of this one.</summary>
    /// <param name="peer">Who it is, as a sentence begins.</param>
    public string? NoteVersion(string peer) => Version == RunNames.SuiteVersion
        ? null
        : $"{peer} is of version {Version}, and this process of {RunNames.SuiteVersion}: use one version on both "
            + "sides.";

    /// <summary>As it travels: JSON in UTF-8.</summary>
    public byte[] ToBytes() => JsonSerializer.SerializeToUtf8Bytes(this, AnnouncementContext.Default.Announcement);

    /// <summary>Reads what came. Its names can be printed, whoever wrote them.</summary>
    /// <returns>Null where it is none.</returns>
    public static Announcement? Read(ReadOnlySpan<byte> json)
    {
        try
        {
            return JsonSerializer.Deserialize(json, AnnouncementContext.Default.Announcement);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

[JsonSerializable(typeof(Announcement))]
internal sealed partial class AnnouncementContext : JsonSerializerContext;
