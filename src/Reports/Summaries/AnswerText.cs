using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// A run record on one screen of 45 lines: the answer first, then what it rests on, and where
/// the rest is.
/// <see cref="SummaryText"/> has everything.
/// </summary>
public sealed class AnswerText(RunRecord record, string? folder)
{
    private const int Screen = 45;
    private const int MostReasons = 4;
    private const int MostEvents = 3;
    private const int MostPairs = 3;

    public void WriteTo(TextWriter writer)
    {
        // The picture is cut, or left out, where the rest needs the room.
        var (head, tail) = (LinesOf(WriteHead, writer.PageWidth()), LinesOf(WriteTail, writer.PageWidth()));
        WriteLines(writer, head);
        if (record.Comparison is null)
            LatencyPicture.Of(record, folder)?.WriteTo(writer, Screen - head.Count - tail.Count);
        WriteLines(writer, tail);
    }

    private static List<string> LinesOf(Action<TextWriter> write, int width)
    {
        var text = new PageText(width);
        write(text);
        return [.. text.ToString().TrimEnd('\n').Split('\n')];
    }

    private static void WriteLines(TextWriter writer, List<string> lines) => lines.ForEach(writer.WriteLine);

    private void WriteHead(TextWriter writer)
    {
        writer.Fold(string.Empty, $"{SummaryText.Word(record.Verdict)}  {AnswerLine.Of(record)}");
        WriteReasons(writer);
        WriteBody(writer);
        if (record.Comparison is { } comparison)
            ComparisonSection.Write(writer, comparison);
        WriteEvents(writer);
    }

    private void WriteTail(TextWriter writer)
    {
        writer.WriteLine();
        new InstrumentSection(record).WriteLine(writer);
        writer.Line(folder is null
            ? "results not written; --details prints everything"
            : $"results in {folder}; show FOLDER --details prints everything");
        writer.WriteLine();
        writer.WriteLine(ResultLine.Of(record));
    }

    private void WriteReasons(TextWriter writer)
    {
        if (record.Partial)
            writer.Line($"PARTIAL: {record.PartialReason}");
        var reasons = record.Verdict.Reasons;
        // Cut only where more than one would be left out: the line that says so takes as much room.
        var shown = reasons.Count <= MostReasons + 1 ? reasons.Count : MostReasons;
        foreach (var reason in reasons.Take(shown))
            writer.Line(reason);
        if (shown < reasons.Count)
            writer.Line($"and {reasons.Count - shown} more reasons: see --details");
        foreach (var threshold in record.Thresholds)
            writer.Line(threshold.Reason ?? threshold.Expression);
    }

    private void WriteBody(TextWriter writer)
    {
        if (record.Role == ServedRecord.Role)
        {
            new ServedSection(new ServedRecord(record)).WriteAnswer(writer);
        }
        else if (record.Summaries is [{ Sync: not null }, ..])
        {
            new SyncSection(record).WriteTo(writer);
        }
        else if (record.Summaries.FirstOrDefault(summary => summary.Delay is not null)
            is { Delay: { } delay } replicated)
        {
            if (delay.ReadElsewhere)
                new WritingSection(replicated, delay).WriteTo(writer);
            else
                new DelaySection(replicated, delay) { IsAnswer = true }.WriteTo(writer);
            new PartsSection(record).WriteTo(writer);
        }
        else if (record.Role == WorkloadResults.Role)
        {
            new WorkloadSection(record).WriteAnswer(writer);
        }
        else if (record.Summaries.Count > 0)
        {
            new MessageSection(record).WriteRow(writer);
            if (record.Comparison is null)
                new LatencySection(record).WriteRoundTrip(writer);
            foreach (var pair in record.Summaries.SelectMany(summary => summary.OneWay).Take(MostPairs))
                Write(writer, pair);
        }
    }

    // A direction whose clocks contradict each other has no number that could be read.
    private static void Write(TextWriter writer, OneWayPair pair)
    {
        if (pair.Grade is not { } grade || pair.Series.Count == 0)
            return;
        writer.WriteLine();
        if (grade == OneWayGrade.F)
        {
            var why = pair.Reasons is [var first, ..] ? first : string.Empty;
            writer.Line($"one way to {pair.Consumer}: grade F, not to be used. {why}");
            return;
        }

        var lead = pair.Headline == OneWayHeadline.RoundTrip ? "; the round trip is known better" : string.Empty;
        writer.Line($"one way to {pair.Consumer} (grade {grade}{lead}), each ±E:");
        // Without echoes only the consumer has the values, and its result the percentiles.
        if (pair.Series.All(series => series.Percentiles.Count == 0) && pair.ConsumerSeries is { } own)
            writer.Line(OneWaySection.Text(own));
        foreach (var series in pair.Series
            .Where(series => series is { Name: "forward" or "back", Percentiles.Count: > 0 }))
        {
            writer.Line($"{series.Name,-8} {AnswerLine.Percentiles(series.Percentiles)}, "
                + $"±{Quantity.Duration(series.ErrorNs)}");
        }
    }

    private void WriteEvents(TextWriter writer)
    {
        if (record.Events.Count == 0)
            return;
        writer.WriteLine();
        foreach (var happening in record.Events.Take(MostEvents))
            writer.Line(SummaryText.Line(happening));
        if (record.Events.Count > MostEvents)
            writer.Line($"and {record.Events.Count - MostEvents} more events: see run.json");
    }
}
