using System.Runtime.InteropServices;
using KeraLua;

namespace RedisLatency.Sync.Filters;

// The memory of a function: what it asks for beyond the limit is refused, which Lua makes an error of it. What we put
// there ourselves is never refused: an error raised in our frames would end the process.
internal sealed class ScriptMemory
{
    public const int MostMiB = 512;
    public const long Most = (long)MostMiB << 20;

    private long _used;
    private long _most = long.MaxValue;

    public ScriptMemory() => Allocator = Allocate;

    // Kept as long as the state lives.
    public LuaAlloc Allocator { get; }

    // Beside what is there already, the entry among it.
    public void Limit() => _most = _used + Most;

    public long Lift()
    {
        var most = _most;
        _most = long.MaxValue;
        return most;
    }

    public void Limit(long most) => _most = most;

    // As lua_Alloc (lua.h): of a new block the size before is its kind. Nothing that shrinks is refused.
    private unsafe IntPtr Allocate(IntPtr state, IntPtr block, UIntPtr before, UIntPtr size)
    {
        var more = (long)size - (block == IntPtr.Zero ? 0 : (long)before);
        if (more > 0 && _used + more > _most)
            return IntPtr.Zero;
        _used += more;
        if (size != UIntPtr.Zero)
            return (IntPtr)NativeMemory.Realloc((void*)block, size);
        NativeMemory.Free((void*)block);
        return IntPtr.Zero;
    }
}
