using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Results;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Probe;

/// <summary>Every key of a session with its stamps at one destination, for a file. One thread notes each key.</summary>
internal sealed class KeyTrace(long keys)
{
    public const string FileName = "keys.csv";

    private readonly KeyFate[] _fates = new KeyFate[keys];
    private readonly long[] _lastMissNs = new long[keys];
    private readonly long[] _firstHitNs = new long[keys];

    public void Note(long sequence, KeyFate fate, long lastMissNs, long firstHitNs)
    {
        _fates[sequence] = fate;
        _lastMissNs[sequence] = lastMissNs;
        _firstHitNs[sequence] = firstHitNs;
    }

    public static void Write(LineFile file, KeySession session)
    {
        var isOne = session.Destinations.Count == 1;
        file.Write(isOne
            ? "key,fate,intended_ns,sent_ns,last_miss_ns,first_hit_ns\n"u8
            : "key,fate,intended_ns,sent_ns,last_miss_ns,first_hit_ns,destination\n"u8);
        foreach (var destination in session.Destinations)
        {
            var end = isOne ? string.Empty : $",{SummaryMark.Of(1 + destination.Destination.Number)}";
            session.TraceAt(destination.Destination.Number)?.WriteLines(file, session, end);
        }
    }

    private void WriteLines(LineFile file, KeySession session, string end)
    {
        for (long i = 0; i < keys; i++)
        {
            var known = session.Ledger.SentOf(i);
            var fate = known switch
            {
                KeyLedger.Refused => KeyFate.Refused,
                0 or KeyLedger.Unsent => KeyFate.Unsent,
                _ => _fates[i],
            };
            file.Write(Encoding.ASCII.GetBytes(string.Create(
                CultureInfo.InvariantCulture,
                $"{i},{fate.ToString().ToLowerInvariant()},{session.Schedule.DueOf(i)},{Stamp(known)},"
                + $"{Stamp(_lastMissNs[i])},{Stamp(_firstHitNs[i])}{end}\n")));
        }
    }

    private static string Stamp(long nanoseconds) =>
        nanoseconds > 0 ? nanoseconds.ToString(CultureInfo.InvariantCulture) : string.Empty;
}
