using System.Text;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Engine;

internal sealed class DrawnInputs : CommandInputs
{
    private readonly KeyChooser[] _streams;
    private readonly KeySpace _space;
    private readonly KeyForm _form;
    private readonly ClusterTags? _tags;
    private readonly ValueSource _values;
    private readonly RandomSource _random;
    private readonly InsertSequence? _inserts;
    private readonly bool _hasNewKeys;
    private readonly byte[]? _constant;
    private readonly ConnectionChooser[] _byConnection;
    private readonly byte[] _fieldPrefix;
    private readonly int _fields;

    public DrawnInputs(DrawnKeys keys, WorkerShare place)
    {
        _random = new RandomSource(keys.Seed).Split(place.Worker);
        _streams =
        [
            .. keys.Streams.Select((one, stream) => one.Create(
                keys.OwnSpaces.GetValueOrDefault(stream, keys.Space), place.Worker, place.Workers, place.Connections)),
        ];
        _byConnection = [.. _streams.OfType<ConnectionChooser>()];
        _space = keys.Space;
        _tags = place.Tags;
        _form = place.Tags is { } tags ? keys.Form.WithTags(tags) : keys.Form;
        (_inserts, _hasNewKeys) = (keys.Inserts, keys.HasNewKeys);
        _values = new ValueSource(keys.Size, keys.Content, keys.Space);
        _fieldPrefix = Encoding.UTF8.GetBytes(keys.Fields?.Prefix ?? string.Empty);
        _fields = keys.Fields?.Fields ?? 0;
        if (_values.IsConstant)
        {
            _constant = new byte[_values.MaximumLength];
            _values.Fill(0, _random, _constant);
        }
    }

    public override int MaximumKeyLength => _form.MaximumLength;

    public override int MaximumValueLength => _values.MaximumLength;

    public override ClusterTags Tags => _tags ?? ClusterTags.All;

    public override int MaximumFieldLength => _fieldPrefix.Length + DecimalDigits.Count((ulong)_fields);

    public override bool IsByConnection => _byConnection.Length > 0;

    public override long NextKey(int stream)
    {
        if (_inserts is null)
            return _streams[stream].Next(_random);
        if (stream == DrawnKeys.InsertStream)
            return _inserts.TryTake(out var inserted) ? inserted : _inserts.LastAcknowledged;
        var chooser = _streams[stream];
        if (_hasNewKeys)
            chooser.Grow(_inserts.LastAcknowledged);
        return chooser.Next(_random);
    }

    public override long NextKeyBeside(long key, int stream)
    {
        var drawn = NextKey(stream);
        // On the way from the drawn one to this one, so it is a record too.
        return _form.HasClusterTag ? drawn - ((drawn - key) % Tags.Count) : drawn;
    }

    public override void Settle(int stream, long key)
    {
        if (stream == DrawnKeys.InsertStream && _inserts is { } inserts && key > inserts.LastAcknowledged)
            inserts.Acknowledge(key);
    }

    public override int WriteKey(long key, Span<byte> destination) => _form.Write(key, destination);

    public override int WriteValue(long key, Span<byte> destination)
    {
        if (_constant is not null)
        {
            _constant.CopyTo(destination);
            return _constant.Length;
        }

        var length = _values.NextLength(key, _random);
        _values.Fill(key, _random, destination[..length]);
        return length;
    }

    public override int WriteField(Span<byte> destination)
    {
        _fieldPrefix.CopyTo(destination);
        var number = _random.Below((ulong)_fields);
        var digits = DecimalDigits.Count(number);
        DecimalDigits.Fill(destination.Slice(_fieldPrefix.Length, digits), number);
        return _fieldPrefix.Length + digits;
    }

    public override void UseConnection(int connection)
    {
        foreach (var chooser in _byConnection)
            chooser.Connection = connection;
    }

    public override ulong NextRandom() => _random.NextUInt64();

    public override bool IsExpected(long key, ReadOnlySpan<byte> value) => _values.Verify(key, value);

    public override bool IsLoaded(long key) => key >= _space.First && key <= _space.Last;
}
