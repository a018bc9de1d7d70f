using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Metrics.Results;
using RedisLatency.Redis;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Fleet.Results;

/// <summary>
/// The results folders of a run's members in the control Redis, a day long: record and interval log, block by block, so
/// that neither side has more than a block in memory.
/// </summary>
/// <param name="control">Where they are.</param>
/// <param name="run">The run's name.</param>
public sealed class FleetResults(ControlClient control, string run)
{
    private const int BlockSize = 512 * 1024;
    private const long MostBytes = 1L << 30;

    private static readonly string[] Names = [ResultsFolder.RunRecordName, ResultsFolder.IntervalLogName];
    private static readonly TimeSpan Life = TimeSpan.FromDays(1);

    private readonly FleetKeys _keys = new(run);

    /// <summary>Sends a member's folder, in the place of what it sent before.</summary>
    /// <exception cref="RedisException">The control Redis is away, or refuses.</exception>
    /// <exception cref="FleetException">There is more than it may be asked to keep.</exception>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    public void Send(FleetMembership member, FleetSettings settings, string folder)
    {
        var files = Names.Select(name => Path.Combine(folder, name)).Where(File.Exists).ToList();
        if (files.Sum(file => new FileInfo(file).Length) > MostBytes)
            throw new FleetException($"{folder} has more than 1 GiB: merge the folders themselves");
        var sent = new SentFiles(settings.Instance, [.. files.Select(file => Send(member, file))]);
        var results = _keys.Results(member.Session);
        var note = JsonSerializer.Serialize(
            new ResultsNote(member.Session, $"{settings.Roster}"), FleetJson.Default.ResultsNote);
        control.Ask(database =>
        {
            database.HashSet(results, member.Place, JsonSerializer.Serialize(sent, FleetJson.Default.SentFiles));
            database.KeyExpire(results, Life);
            return database.StringSet(_keys.Latest, note, Life);
        });
    }

    /// <summary>Brings what the members of the newest run of the name have sent.</summary>
    /// <param name="root">The folder in which each gets one.</param>
    /// <returns>All members that the run had, role by role.</returns>
    /// <exception cref="FleetException">Nothing is there.</exception>
    /// <exception cref="RedisException">The control Redis is away, or refuses.</exception>
    public IEnumerable<ReceivedMember> Receive(string root)
    {
        var text = (string?)control.Ask(database => database.StringGet(_keys.Latest));
        if (text is null || JsonSerializer.Deserialize(text, FleetJson.Default.ResultsNote) is not { } note
            || FleetRoster.Read(note.Expect) is not { } roster)
            throw new FleetException($"{control.Name} has no results of a run {run}");
        return Enumerable.Range(0, roster.Count).Select(place => Receive(root, note.Session, roster, place));
    }

    private ReceivedMember Receive(string root, string session, FleetRoster roster, int place)
    {
        var (name, index) = roster.At(place);
        // Members in regions do the same everywhere.
        var role = roster.IsOfRegions ? "region" : name;
        var entry = (string?)control.Ask(database => database.HashGet(_keys.Results(session), place));
        if (entry is null || JsonSerializer.Deserialize(entry, FleetJson.Default.SentFiles) is not { } sent)
            return new(role, null, $"{roster.NamesOf([place]).Single()} has sent nothing");
        var folder = Directory.CreateDirectory(Path.Combine(root, $"{name}-{index}")).FullName;
        return sent.Files.FirstOrDefault(file => !TryReceive(session, place, file, folder)) is { } broken
            ? new(role, null, $"{roster.NameOf(place)}: {broken.Name} is not whole in {control.Name} any more")
            : new(role, folder, null);
    }

    private SentFile Send(FleetMembership member, string path)
    {
        var name = Path.GetFileName(path);
        var key = _keys.File(member.Session, member.Place, name);
        control.Ask(database => database.KeyDelete(key));
        using var file = File.OpenRead(path);
        using var digest = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var block = new byte[BlockSize];
        var blocks = 0;
        while (file.ReadAtLeast(block, block.Length, throwOnEndOfStream: false) is > 0 and var length)
        {
            digest.AppendData(block, 0, length);
            using var compressed = new MemoryStream();
            using (var packing = new BrotliStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
                packing.Write(block, 0, length);
            control.Ask(database => database.ListRightPush(key, compressed.ToArray()));
            if (blocks++ == 0)
                control.Ask(database => database.KeyExpire(key, Life));
        }

        return new SentFile(name, blocks, Convert.ToHexString(digest.GetHashAndReset()));
    }

    private bool TryReceive(string session, int member, SentFile sent, string folder)
    {
        if (!Names.Contains(sent.Name))
            return false;
        var key = _keys.File(session, member, sent.Name);
        using var digest = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var file = File.Create(Path.Combine(folder, sent.Name));
        var block = new byte[BlockSize];
        for (var number = 0; number < sent.Blocks; number++)
        {
            var at = number;
            if (control.Ask(database => database.ListRange(key, at, at)) is not [var packed])
                return false;
            using var unpacking = new BrotliStream(new MemoryStream((byte[])packed!), CompressionMode.Decompress);
            var length = unpacking.ReadAtLeast(block, block.Length, throwOnEndOfStream: false);
            file.Write(block, 0, length);
            digest.AppendData(block, 0, length);
        }

        return Convert.ToHexString(digest.GetHashAndReset()) == sent.Sha256;
    }
}
