using System.Text.Json;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Producer.OneWay;

/// <summary>The offset windows of a run, <c>clock.ndjson</c>: see docs/results.md. One thread writes.</summary>
internal sealed class ClockLog(LineFile file)
{
    public const string FileName = "clock.ndjson";

    private const int Version = 1;

    private readonly JsonLines _lines = new(file);
    private int _pairs;

    public void Begin(string run, string instance, ClockIdentity clock)
    {
        var wallClock = WallClockMapping.Sample();
        _lines.Write("clocks", writer =>
        {
            writer.WriteNumber("version", Version);
            writer.WriteString("run", run);
            writer.WriteString("instance", instance);
            WriteClock(writer, "producerClock", clock);
            writer.WriteBoolean("isSynthetic", MonotonicClock.IsSynthetic);
            writer.WriteNumber("monotonicNs", wallClock.SampledAtNs);
            writer.WriteNumber("unixNs", wallClock.ToUnixNs(wallClock.SampledAtNs));
            writer.WriteNumber("wallClockErrorNs", wallClock.ErrorNs);
        });
    }

    /// <summary>Returns the pair's number in the lines that follow.</summary>
    public int AddPair(
        string target, string consumer, string consumerId, ClockIdentity? clock, OffsetAssumptions assumptions)
    {
        var pair = _pairs++;
        _lines.Write("pair", writer =>
        {
            writer.WriteNumber("pair", pair);
            writer.WriteString("target", target);
            writer.WriteString("consumer", consumer);
            writer.WriteString("consumerId", consumerId);
            if (clock is not null)
                WriteClock(writer, "consumerClock", clock);
            writer.WriteStartObject("assumptions");
            writer.WriteNumber("oscillatorPpm", assumptions.OscillatorPpm);
            writer.WriteNumber("unsampledSlewPpm", assumptions.UnsampledSlewPpm);
            writer.WriteNumber("wanderPpm", assumptions.WanderPpm);
            writer.WriteNumber("stampErrorNs", assumptions.StampErrorNs);
            writer.WriteNumber("forwardFloorNs", assumptions.ForwardFloorNs);
            writer.WriteNumber("backFloorNs", assumptions.BackFloorNs);
            writer.WriteBoolean("usesClaims", assumptions.UsesClaims);
            writer.WriteEndObject();
        });
        return pair;
    }

    /// <summary>By the probes, and beside it by what is claimed, which may turn out to be refuted.</summary>
    public void Write(int pair, OffsetWindow window) => _lines.Write("window", writer =>
    {
        var alone = window.ByProbes ?? window;
        writer.WriteNumber("pair", pair);
        writer.WriteNumber("startNs", window.StartNs);
        writer.WriteNumber("endNs", window.EndNs);
        writer.WriteNumber("referenceNs", window.ReferenceNs);
        writer.WriteBoolean("isBounded", alone.IsBounded);
        if (alone.IsBounded)
            WriteBounds(writer, alone);
        if (window.ByProbes is not null)
        {
            writer.WriteStartObject("claimed");
            writer.WriteNumber("offsetNs", window.OffsetNs);
            WriteFinite(writer, "skewPpm", window.SkewPpm);
            writer.WriteNumber("errorNs", window.ErrorNs);
            writer.WriteEndObject();
        }

        WriteFinite(writer, "driftPpm", window.DriftPpm);
        writer.WriteNumber("oscillatorPpm", window.OscillatorPpm);
        writer.WriteNumber("probes", window.Probes);
        writer.WriteNumber("accepted", window.Accepted);
        writer.WriteNumber("contradicting", window.Contradicting);
        if (window.MinNetworkNs >= 0)
            writer.WriteNumber("minNetworkNs", window.MinNetworkNs);
        if (window.CodedOffsetNs is { } coded)
            writer.WriteNumber("codedOffsetNs", coded);
        writer.WriteString("break", BreakNames.Of(window.Break));
        writer.WriteNumber("stepNs", window.StepNs);
        if (window.StepErrorNs is { } stepError)
            writer.WriteNumber("stepErrorNs", stepError);
        writer.WriteBoolean("isProven", alone.IsProven);
        writer.WriteBoolean("isContradicted", window.IsContradicted);
        writer.WriteStartArray("claims");
        foreach (var claim in window.Claims)
        {
            writer.WriteStartObject();
            writer.WriteString("name", claim.Name);
            writer.WriteNumber("lowNs", claim.LowNs);
            writer.WriteNumber("highNs", claim.HighNs);
            writer.WriteBoolean("agrees", claim.Agrees);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    });

    private static void WriteBounds(Utf8JsonWriter writer, OffsetWindow window)
    {
        writer.WriteNumber("offsetNs", window.OffsetNs);
        writer.WriteNumber("errorNs", window.ErrorNs);
        writer.WriteNumber("errorAtStartNs", window.ErrorAtStartNs);
        writer.WriteNumber("errorAtReferenceNs", window.ErrorAtReferenceNs);
        writer.WriteNumber("errorAtEndNs", window.ErrorAtEndNs);
        WriteFinite(writer, "skewPpm", window.SkewPpm);
        WriteFinite(writer, "skewLowPpm", window.SkewLowPpm);
        WriteFinite(writer, "skewHighPpm", window.SkewHighPpm);
        writer.WriteNumber("probeLowNs", window.ProbeLowNs);
        writer.WriteNumber("probeHighNs", window.ProbeHighNs);
    }

    private static void WriteClock(Utf8JsonWriter writer, string name, ClockIdentity clock)
    {
        writer.WriteStartObject(name);
        writer.WriteString("host", clock.Host);
        if (clock.BootId is not null)
            writer.WriteString("bootId", clock.BootId);
        if (clock.TimeNamespace is not null)
            writer.WriteString("timeNamespace", clock.TimeNamespace);
        writer.WriteEndObject();
    }

    // JSON has no word for what is not finite.
    private static void WriteFinite(Utf8JsonWriter writer, string name, double value)
    {
        if (double.IsFinite(value))
            writer.WriteNumber(name, value);
    }
}
