using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>
/// Passes the keys of an RDB file on: their values as they are, those that are too long as commands, a part at a time.
/// </summary>
internal sealed class DataSetReading(
    ISyncSink sink, SyncBatch batch, SourceOptions options, bool checksValues = false)
{
    private const int EnoughBytes = 256 << 10;

    private readonly TypedCommands _commands = new(options.Target, new() { Replaces = true });
    private readonly CommandFrames _frames = new();
    private bool _hasToldOfMetadata;

    /// <summary>The database in which the stream behind the data set begins.</summary>
    public int StreamDatabase { get; private set; }

    public long Keys { get; private set; }

    /// <summary>When it was written, in seconds since 1970; 0 where it does not say.</summary>
    public long WrittenAt { get; private set; }

    /// <summary>Reads it to its end. What is passed last is in the batch.</summary>
    /// <exception cref="RdbException">It is damaged.</exception>
    public void Read(RdbReader reader, CancellationToken stop)
    {
        try
        {
            ReadAll(reader, stop);
        }
        catch (RdbException)
        {
            // What came whole before it is at the target then.
            sink.Pass(batch);
            sink.AwaitApplied();
            throw;
        }
    }

    private void ReadAll(RdbReader reader, CancellationToken stop)
    {
        while (reader.Read() is var record && record != RdbRecord.End)
        {
            stop.ThrowIfCancellationRequested();
            sink.Begin();
            switch (record)
            {
                case RdbRecord.Auxiliary:
                    TakeField(reader);
                    break;
                case RdbRecord.Function when options.ReadsDataSet:
                    AddRequest(reader.Content, "FUNCTION", "LOAD", "REPLACE");
                    break;
                case RdbRecord.Key when options.ReadsDataSet:
                    AddKey(reader);
                    break;
            }

            if (batch.IsFull(EnoughBytes))
                sink.Pass(batch);
        }

        sink.Begin();
        if (reader.SkippedModuleRecords > 0)
        {
            sink.Note(
                "module-data", $"{reader.SkippedModuleRecords} records of modules beside the keys are left out.");
        }
    }

    private void TakeField(RdbReader reader)
    {
        switch (reader.AuxiliaryName)
        {
            case "repl-stream-db":
                StreamDatabase = int.TryParse(
                    Encoding.ASCII.GetString(reader.Content), CultureInfo.InvariantCulture, out var database)
                    ? Math.Max(database, 0) : 0;
                break;
            case "ctime":
                WrittenAt = Utf8Parser.TryParse(reader.Content, out long time, out _) ? time : 0;
                break;
            case "lua" when options.ReadsDataSet:
                AddRequest(reader.Content, "SCRIPT", "LOAD");
                break;
        }
    }

    private void AddRequest(ReadOnlySpan<byte> content, params ReadOnlySpan<string> words)
    {
        var request = batch.Make(words.Length + 1);
        foreach (var word in words)
            request.WriteBulkString(word);
        request.WriteBulkString(content);
        batch.AddMade(0);
    }

    private void AddKey(RdbReader reader)
    {
        var entry = reader.Entry;
        Keys++;
        if (entry.HasModuleMetadata && !_hasToldOfMetadata)
        {
            _hasToldOfMetadata = true;
            sink.Note(
                "module-data", $"Modules have attached data to keys ({KeyText.Of(entry.Key)} …): it is left out.");
        }

        if (entry.IsBig)
        {
            AddParts(reader);
            return;
        }

        if (checksValues && !TryCheck(reader))
            return;
        var value = new StoredValue(entry.Type, entry.Memory, entry.Format.Version);
        ref var restore = ref batch.AddRestore(entry.Key, value, entry.Database);
        restore.ExpiresAtMs = entry.ExpiresAtMs ?? 0;
        restore.IdleSeconds = entry.IdleSeconds ?? -1;
        restore.Frequency = entry.Frequency ?? -1;
    }

    // A target by default takes a damaged value as it is, and falls over it later.
    private bool TryCheck(RdbReader reader)
    {
        try
        {
            reader.CheckValue();
            return true;
        }
        catch (RdbException damage)
        {
            batch.AddDamaged(reader.Entry.Key, $"the value is damaged: {damage.Message}", reader.Entry.Database);
            return false;
        }
    }

    // The last is known only when it is over: each waits in the batch for the next.
    private void AddParts(RdbReader reader)
    {
        batch.ValuesInParts++;
        var (parts, database) = (0, reader.Entry.Database);
        _commands.Write(reader, request =>
        {
            if (batch.Length >= EnoughBytes)
                sink.Pass(batch);
            ref var entry = ref batch.AddCommand(request, _frames, database);
            (entry.Part, entry.Value) = (parts++ == 0 ? ValuePart.First : ValuePart.Middle, batch.ValuesInParts);
        });
        batch.Entries[^1].Part = ValuePart.Last;
        sink.Note("not-atomic", $"{KeyText.Of(reader.Entry.Key)} is longer than {options.BigValue:N0} bytes: it is "
            + $"written in {parts} parts, which others can see half done.");
        var losses = options.HearsOfClaims ? _commands.Losses & ~TypedLosses.DeletedPending : _commands.Losses;
        if (losses != TypedLosses.None)
            sink.Skip($"a part of the value that no command can make: {losses.InWords()}", reader.Entry.Key);
    }
}
