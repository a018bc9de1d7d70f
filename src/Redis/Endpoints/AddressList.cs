using System.Collections;

namespace RedisLatency.Redis.Endpoints;

/// <summary>Addresses in the order given; two lists of the same addresses are equal.</summary>
public sealed class AddressList(params IEnumerable<HostAndPort> addresses)
    : IReadOnlyList<HostAndPort>, IEquatable<AddressList>
{
    private readonly HostAndPort[] _addresses = [.. addresses];

    /// <summary>No address.</summary>
    public static AddressList Empty { get; } = new();

    /// <inheritdoc/>
    public int Count => _addresses.Length;

    /// <inheritdoc/>
    public HostAndPort this[int index] => _addresses[index];

    /// <inheritdoc/>
    public IEnumerator<HostAndPort> GetEnumerator() => ((IEnumerable<HostAndPort>)_addresses).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <inheritdoc/>
    public bool Equals(AddressList? other) => other is not null && _addresses.SequenceEqual(other._addresses);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as AddressList);

    /// <inheritdoc/>
    public override int GetHashCode() => _addresses.Length == 0 ? 0 : _addresses[0].GetHashCode();
}
